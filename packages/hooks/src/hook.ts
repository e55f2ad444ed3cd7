import type { Span } from "@opentelemetry/api";

import { HookError } from "./errors.ts";
import type { TurnInfo } from "./payloads.ts";
import { HOOK_POINT_NAMES, isHookPoint, type HookPoint, type HookPoints, type PayloadOf } from "./points.ts";
import type { AskUserResult, BlockResult, ContinueResult, HookResult, ModifyResult } from "./results.ts";
import { suggest } from "./suggest.ts";
import type { TurnTotals } from "./turn-totals.ts";

/** One event of one point. The payload and the turn are deeply frozen JSON values, the same for every hook. */
export interface HookEventAt<Point extends HookPoint> {
  readonly point: Point;
  readonly payload: PayloadOf<Point>;
  /** undefined at the two gateway points, which fire before a turn exists */
  readonly turn: HookPoints[Point]["hasTurn"] extends true ? TurnInfo : undefined;
}

/** A union over `point`. */
export type HookEvent = { [Point in HookPoint]: HookEventAt<Point> }[HookPoint];

export interface HookContext {
  /** Aborted when the hook's time is over or the turn is interrupted. */
  readonly signal: AbortSignal;
  /** The invocation's span; does nothing where none is recorded. */
  readonly span: Span;
  /** The turn's sums: `turn?.add("agent_turn.cost_usd", 0.01)`. */
  readonly turn?: TurnTotals | undefined;
}

/** When a hook runs a second time on one tool call: never, or when another hook changed the arguments. */
export type Reinvoke = "never" | "if_modified";

/** A named handler registered at one or more points. */
export interface Hook {
  readonly name: string;
  readonly points: readonly HookPoint[];
  /** Milliseconds, more than 0; the bus's own limit when absent. */
  readonly timeoutMs?: number | undefined;
  readonly reinvoke?: Reinvoke | undefined;
  /** The plugin it belongs to, for spans and lists. */
  readonly source?: string | undefined;
  call(event: HookEvent, context: HookContext): HookResult | void | Promise<HookResult | void>;
}

/** What a hook may return at a point. */
export type ResultAt<Point extends HookPoint> =
  | ContinueResult
  | ("block" extends HookPoints[Point]["accepts"] ? BlockResult : never)
  | ("ask_user" extends HookPoints[Point]["accepts"] ? AskUserResult : never)
  | ("modify" extends HookPoints[Point]["accepts"] ? ModifyResult<HookPoints[Point]["modify"]> : never);

export type HandlerAt<Point extends HookPoint> = (
  event: HookEventAt<Point>,
  context: HookContext,
) => ResultAt<Point> | void | Promise<ResultAt<Point> | void>;

export interface HookDefinition {
  readonly name: string;
  readonly timeoutMs?: number;
  readonly reinvoke?: Reinvoke;
  readonly source?: string;
  readonly on: { readonly [Point in HookPoint]?: HandlerAt<Point> };
}

/**
 * A hook from one function per point. A result the point does not accept is a type error.
 *
 * @throws HookError HOOK_NAME_MISSING, HOOK_POINTS_EMPTY, HOOK_POINT_UNKNOWN, HOOK_NOT_CALLABLE, HOOK_TIMEOUT_INVALID
 */
export function defineHook(definition: HookDefinition): Hook {
  const handlers = definition?.on as { readonly [Point in string]?: HandlerAt<HookPoint> };
  const hook: Hook = {
    name: definition?.name,
    points: Object.keys(handlers ?? {}) as HookPoint[],
    timeoutMs: definition?.timeoutMs,
    reinvoke: definition?.reinvoke,
    source: definition?.source,
    call: (event, context) =>
      handlers[event.point]?.(event as HookEventAt<HookPoint>, context) as ReturnType<Hook["call"]>,
  };
  checkHook(hook);
  for (const point of hook.points) {
    if (typeof handlers[point] !== "function") throw notCallable(hook.name, `on.${point}`);
  }
  return hook;
}

/**
 * What registration refuses.
 *
 * @throws HookError HOOK_NAME_MISSING, HOOK_NOT_CALLABLE, HOOK_POINTS_EMPTY, HOOK_POINT_UNKNOWN, HOOK_TIMEOUT_INVALID,
 *   HOOK_REINVOKE_INVALID
 */
export function checkHook(hook: Hook): void {
  if (typeof hook?.name !== "string" || hook.name.trim() === "") {
    throw new HookError(
      "HOOK_NAME_MISSING",
      "a hook needs a non-blank `name`; it identifies the hook in spans and metrics.",
    );
  }
  if (typeof hook.call !== "function") throw notCallable(hook.name, "call");
  if (!Array.isArray(hook.points) || hook.points.length === 0) {
    throw new HookError("HOOK_POINTS_EMPTY", `hook "${hook.name}" names no hook point; give it at least one.`);
  }
  for (const point of hook.points) if (!isHookPoint(point)) throw unknownPoint(point, `hook "${hook.name}"`);
  if (hook.timeoutMs !== undefined) checkTimeout(hook.timeoutMs, `hook "${hook.name}"`);
  if (hook.reinvoke !== undefined && hook.reinvoke !== "never" && hook.reinvoke !== "if_modified") {
    throw new HookError(
      "HOOK_REINVOKE_INVALID",
      `hook "${hook.name}": reinvoke is ${String(hook.reinvoke)}; use "never" or "if_modified".`,
    );
  }
}

/** @throws HookError HOOK_TIMEOUT_INVALID */
export function checkTimeout(timeoutMs: number, whose: string, option: string = "timeoutMs"): void {
  if (typeof timeoutMs === "number" && Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)
    return;
  throw new HookError(
    "HOOK_TIMEOUT_INVALID",
    `${whose}: ${option} is ${String(timeoutMs)}; give milliseconds above 0 and at most ${MAX_TIMEOUT_MS}. There is no value for "no limit".`,
  );
}

/** The error for a name that is no point, with the point that was probably meant. */
export function unknownPoint(point: unknown, whose: string): HookError {
  const name = typeof point === "string" ? `"${point}"` : `a value of type ${typeof point}`;
  const near = typeof point === "string" ? suggest(point, HOOK_POINT_NAMES) : undefined;
  const hint = near === undefined ? `the points are ${HOOK_POINT_NAMES.join(", ")}.` : `did you mean "${near}"?`;
  return new HookError("HOOK_POINT_UNKNOWN", `${whose} names ${name}, which is no hook point; ${hint}`);
}

/** The longest delay a timer of the platform takes. */
const MAX_TIMEOUT_MS = 2_147_483_647;

function notCallable(hook: string, what: string): HookError {
  return new HookError("HOOK_NOT_CALLABLE", `hook "${hook}": ${what} is not a function.`);
}
