import { ProxyTracerProvider, trace, type Tracer, type TracerProvider } from "@opentelemetry/api";

import { createSystemClock, type Clock } from "./clock.ts";
import { DeadlineTable } from "./deadlines.ts";
import { describeError } from "./describe-error.ts";
import { HookError } from "./errors.ts";
import type { HookInvocation } from "./invocation.ts";
import { callSafely, consoleLogger, OnceLogger, type Logger } from "./logger.ts";
import type { TurnInfo } from "./payloads.ts";
import { createRedactor, REDACTION_FAILED, redactSafely, type Redactor } from "./redact/index.ts";
import { showValue } from "./show-value.ts";

/** Given each invocation, redacted. What it throws, or rejects with, is counted. */
export type InvocationListener = (invocation: HookInvocation) => void;

export interface CoreOptions {
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  readonly redact?: Redactor | undefined;
  readonly maxSpansPerTurn?: number | undefined;
}

/** What every invocation of a bus shares, mod hooks included: clock, limits, tracer, redactor, log and listeners. */
export class InvocationCore {
  readonly clock: Clock;
  readonly deadlines: DeadlineTable;
  readonly tracer: Tracer;
  readonly redactor: Redactor;
  readonly log: OnceLogger;
  readonly maxSpansPerTurn: number;
  /** Calls of a listener that threw or rejected. */
  listenerFailures = 0;
  /** Until an SDK is registered, who is to be asked whether one was. */
  #awaited: ProxyTracerProvider | undefined;
  #listeners: readonly InvocationListener[] = [];
  readonly #redactedTurns = new WeakMap<TurnInfo, TurnInfo | undefined>();
  #lastTurn: TurnInfo | undefined;
  #lastRedacted: TurnInfo | undefined;

  constructor(options: CoreOptions) {
    this.clock = options.clock ?? createSystemClock();
    this.deadlines = new DeadlineTable(this.clock);
    // A proxy until an SDK is registered, so the bus may be made before the SDK starts.
    const provider: TracerProvider = trace.getTracerProvider();
    this.tracer = options.tracer ?? provider.getTracer(TRACER_NAME);
    this.#awaited = options.tracer === undefined && provider instanceof ProxyTracerProvider ? provider : undefined;
    this.redactor = options.redact ?? createRedactor();
    this.log = new OnceLogger(options.logger ?? consoleLogger);
    this.maxSpansPerTurn = options.maxSpansPerTurn ?? DEFAULT_MAX_SPANS_PER_TURN;
  }

  /** Whether there is somebody to make spans: a tracer that was given, or an SDK that was registered. */
  get tracing(): boolean {
    if (this.#awaited === undefined) return true;
    if (this.#awaited.getDelegateTracer(TRACER_NAME) === undefined) return false;
    this.#awaited = undefined;
    return true;
  }

  /** Gives back its own unsubscribe. @throws HookError HOOK_NOT_CALLABLE */
  subscribe(listener: InvocationListener): () => void {
    if (typeof listener !== "function") {
      throw new HookError(
        "HOOK_NOT_CALLABLE",
        `subscribe was given ${showValue(listener)}; give it a function, which is called with each invocation.`,
      );
    }
    const entry: InvocationListener = (invocation) => listener(invocation);
    this.#listeners = [...this.#listeners, entry];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== entry);
    };
  }

  get hasListeners(): boolean {
    return this.#listeners.length > 0;
  }

  publish(invocation: HookInvocation): void {
    for (const listener of this.#listeners) callSafely(listener, invocation, this.#listenerFailed);
  }

  /** A text as it may leave the bus; `[redaction failed]` where the redactor threw, or gave back no text. */
  redactText(text: string): string {
    const redacted: unknown = redactSafely(this.redactor, text);
    return typeof redacted === "string" ? redacted : REDACTION_FAILED;
  }

  /** A name as it may leave the bus. Where the redactor fails, the built-in one stands in: a hook must stay known. */
  redactName(name: string): string {
    const redacted = this.redactText(name);
    return redacted === REDACTION_FAILED ? createRedactor().text(name) : redacted;
  }

  /** A turn as it may leave the bus. The loop gives the same object for a whole turn, so it is redacted once; undefined where the redactor threw, or gave back no turn. */
  redactTurn(turn: TurnInfo): TurnInfo | undefined {
    if (turn !== this.#lastTurn) {
      if (!this.#redactedTurns.has(turn)) {
        const redacted: unknown = redactSafely(this.redactor, turn);
        this.#redactedTurns.set(turn, isTurnLike(redacted) ? redacted : undefined);
      }
      this.#lastTurn = turn;
      this.#lastRedacted = this.#redactedTurns.get(turn);
    }
    return this.#lastRedacted;
  }

  readonly #listenerFailed = (error: unknown): void => {
    this.listenerFailures += 1;
    const { type, message } = describeError(error);
    const what = this.redactText(`${type}: ${message}`);
    this.log.warn("listener", `a listener of hook invocations failed: ${what}. Further failures are only counted.`);
  };
}

function isTurnLike(value: unknown): value is TurnInfo {
  return typeof value === "object" && value !== null && "turn_id" in value;
}

const TRACER_NAME = "@hookscope/hooks";
const DEFAULT_MAX_SPANS_PER_TURN = 5_000;
