import {
  snapshot,
  withTurnTotals,
  type DispatchOptions,
  type HookPoint,
  type PayloadOf,
  type TurnInfo,
  type TurnTotals,
  type Usage,
  type Verdict,
} from "@hookscope/hooks";
import type { Context } from "@opentelemetry/api";

import type { ApprovalLane } from "./approval-desk.ts";
import { describeThrown } from "./describe-thrown.ts";
import type { AgentEvent, UnstampedEvent } from "./events.ts";
import { Interruption } from "./interruption.ts";
import type { ModSession } from "./mod-session.ts";
import type { ModContext } from "./mods.ts";
import { addUsage, NO_USAGE } from "./model.ts";
import type { Session } from "./session/session.ts";
import type { HarnessSetup } from "./setup.ts";
import type { OpenSpan } from "./spans.ts";

const scopes = new WeakMap<ModContext, TurnScope>();

/** The turn a mod's context was built for: for the built-in mods, which call the model and make spans of their own. */
export function scopeOf(context: ModContext): TurnScope {
  return scopes.get(context) as TurnScope;
}

/** One turn under way: what every step of it is given. */
export class TurnScope {
  readonly setup: HarnessSetup;
  readonly turn: TurnInfo;
  readonly runId: string;
  readonly span: OpenSpan;
  /** The turn's span and totals: children are made under it. */
  readonly context: Context;
  readonly totals: TurnTotals;
  readonly signal: AbortSignal;
  /** 0 for the turn of a person's message, 1 for its subagents. */
  readonly depth: number;
  /** The same for a turn and its subagents: a person is asked one question at a time. */
  readonly approvalLane: ApprovalLane;
  readonly session: Session | undefined;
  /** The round under way, or the one that has just ended, until the next begins; 0 before the first and after the last. */
  round = 0;
  usage: Usage = NO_USAGE;
  /** Work that must be done before the turn's span ends, but that nobody waits for earlier. */
  readonly pending: Promise<unknown>[] = [];
  readonly #listeners: ((event: AgentEvent) => void)[] = [];
  readonly #modContexts = new Map<string, ModContext>();
  #modSignal: AbortSignal;

  constructor(given: {
    readonly setup: HarnessSetup;
    readonly turn: TurnInfo;
    readonly span: OpenSpan;
    readonly totals: TurnTotals;
    readonly signal: AbortSignal;
    readonly depth: number;
    readonly approvalLane: ApprovalLane;
    readonly session?: Session | undefined;
    readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  }) {
    this.setup = given.setup;
    this.turn = snapshot(given.turn);
    this.runId = given.turn.turn_id;
    this.span = given.span;
    this.totals = given.totals;
    this.context = withTurnTotals(given.span.context, given.totals);
    this.signal = given.signal;
    this.#modSignal = given.signal;
    this.depth = given.depth;
    this.approvalLane = given.approvalLane;
    this.session = given.session;
    if (given.onEvent !== undefined) this.#listeners.push(given.onEvent);
  }

  /** A hook may change the reply, so none of its text is shown outside before that. */
  get holdsText(): boolean {
    return this.setup.bus.has("transform_llm_output");
  }

  now(): number {
    return this.setup.clock.now();
  }

  emit(event: UnstampedEvent, spanId: string | undefined = this.span.spanId): void {
    if (!this.setup.events.hasSubscribers && this.#listeners.length === 0) return;
    const stamped = {
      ...event,
      timestamp: this.now(),
      runId: this.runId,
      ...(this.round === 0 ? {} : { round: this.round }),
      ...(spanId === undefined ? {} : { spanId }),
    } as AgentEvent;
    if (this.#listeners.length === 0) this.setup.events.emit(stamped);
    for (const listener of this.#listeners) listener(stamped);
  }

  /** @throws Interruption where the turn was interrupted meanwhile */
  async dispatch<Point extends HookPoint>(
    point: Point,
    payload: () => PayloadOf<Point>,
    parent: Context = this.context,
  ): Promise<Verdict<Point>> {
    const options = { turn: this.turn, signal: this.signal, parent } as unknown as DispatchOptions<Point>;
    const verdict = await this.setup.bus.dispatch(point, payload, options as never);
    if (verdict.decision === "aborted") throw new Interruption();
    return verdict;
  }

  /** For the points that close things: an interrupt does not reach them, and their hooks' own limits bound them. */
  dispatchClosing<Point extends HookPoint>(
    point: Point,
    payload: () => PayloadOf<Point>,
    parent: Context = this.context,
  ): Promise<Verdict<Point>> {
    const options = { turn: this.turn, parent } as unknown as DispatchOptions<Point>;
    return this.setup.bus.dispatch(point, payload, options as never);
  }

  addUsage(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }

  /** What mods do where the run closes must be done, an interrupt notwithstanding: from here on their signal is a fresh one. */
  beginClosing(): void {
    if (this.signal.aborted) this.#modSignal = new AbortController().signal;
  }

  /** Built once per run and mod, and given to each of its hooks. */
  modContext(modId: string): ModContext {
    let context = this.#modContexts.get(modId);
    if (context === undefined) {
      const session = this.#sessionOf(modId);
      const signal = (): AbortSignal => this.#modSignal;
      context = {
        emit: (event) => this.emit(event),
        get signal() {
          return signal();
        },
        cwd: this.setup.cwd,
        ...(session === undefined ? {} : { session }),
      };
      this.#modContexts.set(modId, context);
      scopes.set(context, this);
    }
    return context;
  }

  /** A store that fails leaves the mod without a session, and says so. */
  #sessionOf(modId: string): ModSession | undefined {
    try {
      return this.session?.modSession(modId);
    } catch (error) {
      this.emit({
        type: "mod_error",
        modId,
        hook: "session",
        error: this.setup.core.redactText(describeThrown(error)),
      });
      return undefined;
    }
  }
}
