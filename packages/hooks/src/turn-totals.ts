import { createContextKey, type Context } from "@opentelemetry/api";

import type { AttributeKeyOf, SpanAttributes } from "./attributes.ts";

/** Sums a hook may add to: numeric attributes of the turn's span. */
export type TurnTotalKey = Extract<AttributeKeyOf<"number">, `agent_turn.${string}`>;

/** What a turn may be marked with: boolean attributes of its span. */
export type TurnFlagKey = Extract<AttributeKeyOf<"boolean">, `agent_turn.${string}`>;

/**
 * What a turn adds up: written onto its span when it ends. A subagent's totals pass everything on to its parent's, so
 * that the turn a person looks at counts all of it.
 */
export class TurnTotals {
  readonly #parent: TurnTotals | undefined;
  readonly #sums = new Map<TurnTotalKey, number>();
  readonly #flags = new Set<TurnFlagKey>();
  #running = 0;
  #runningSince = 0;
  #wallTimeMs = 0;
  #hookTimeMs = 0;
  #invocations = 0;
  #hookSpans = 0;

  constructor(parent?: TurnTotals) {
    this.#parent = parent;
  }

  /** Adds to a sum of the turn and of every turn above it: `turn.add("agent_turn.cost_usd", 0.01)`. Not finite: ignored. */
  add(key: TurnTotalKey, amount: number): void {
    if (!Number.isFinite(amount)) return;
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount);
    this.#parent?.add(key, amount);
  }

  /** Sets a flag of the turn and of every turn above it. */
  flag(key: TurnFlagKey): void {
    if (this.#flags.has(key)) return;
    this.#flags.add(key);
    this.#parent?.flag(key);
  }

  /** A sum so far; 0 where nothing was added. */
  get(key: TurnTotalKey): number {
    return this.#sums.get(key) ?? 0;
  }

  has(key: TurnFlagKey): boolean {
    return this.#flags.has(key);
  }

  /** @internal A hook began to run at `now`, in milliseconds since the epoch. */
  hookStarted(now: number): void {
    if (this.#running === 0) this.#runningSince = now;
    this.#running += 1;
    this.#parent?.hookStarted(now);
  }

  /** @internal It stopped at `now`; wall time is the time in which at least one hook ran. */
  hookStopped(now: number, durationMs: number): void {
    this.#running -= 1;
    if (this.#running === 0) this.#wallTimeMs += Math.max(0, now - this.#runningSince);
    this.#hookTimeMs += durationMs;
    this.#parent?.hookStopped(now, durationMs);
  }

  /** @internal One more record. */
  invocationCounted(): void {
    this.#invocations += 1;
    this.#parent?.invocationCounted();
  }

  /** @internal Counts a hook span of the topmost turn; true while one more may be made. */
  takeHookSpan(limit: number): boolean {
    if (this.#parent !== undefined) return this.#parent.takeHookSpan(limit);
    if (this.#hookSpans >= limit) return false;
    this.#hookSpans += 1;
    return true;
  }

  /** The summary attributes of the turn's span; times in seconds. */
  attributes(): SpanAttributes {
    return {
      "agent_turn.hook_failures": 0,
      "agent_turn.blocked_tool_calls": 0,
      "agent_turn.tool_calls": 0,
      "agent_turn.rounds": 0,
      ...Object.fromEntries(this.#sums),
      "agent_turn.hook_time": this.#hookTimeMs / 1000,
      "agent_turn.hook_wall_time": this.#wallTimeMs / 1000,
      "agent_turn.hook_invocations": this.#invocations,
      "agent_turn.has_block": this.#flags.has("agent_turn.has_block"),
      "agent_turn.has_failure": this.#flags.has("agent_turn.has_failure"),
      "agent_turn.has_timeout": this.#flags.has("agent_turn.has_timeout"),
    };
  }
}

const TURN_TOTALS = createContextKey("hookscope turn totals");

/** A context with the totals of its turn. They in it, so that dispatch finds them wherever it is called from. */
export function withTurnTotals(parent: Context, totals: TurnTotals): Context {
  return parent.setValue(TURN_TOTALS, totals);
}

/** The totals of the turn a context belongs to. */
export function turnTotalsOf(context: Context): TurnTotals | undefined {
  return context.getValue(TURN_TOTALS) as TurnTotals | undefined;
}
