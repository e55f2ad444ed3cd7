import type { Span } from "@opentelemetry/api";

import { LONGEST_TIMER_MS } from "./clock.ts";
import { HookError } from "./errors.ts";
import type { TurnInfo } from "./payloads.ts";
import { HOOK_POINT_NAMES, isHookPoint, type HookPoint, type HookPoints, type PayloadOf } from "./points.ts";
import type { AskUserResult, BlockResult, ContinueResult, HookResult, ModifyResult } from "./results.ts";
import { showValue } from "./show-value.ts";
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
  /**
   * Aborted when the hook's time is over or the turn is interrupted. What a listener of it throws is no longer the call's:
   * the platform reports it as an uncaught exception.
   */
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
  checkHook(hook, "the hook", "as a function under `on`");
  for (const point of hook.points) {
    if (typeof handlers[point] === "function") continue;
    const given = showValue(handlers[point]);
    throw new HookError("HOOK_NOT_CALLABLE", `hook "${hook.name}": on.${point} is ${given}; give a function.`);
  }
  return hook;
}

/**
 * What registration refuses.
 *
 * @param place where it was given, for one without a name
 * @param wanted how a point is to be named
 * @throws HookError HOOK_NAME_MISSING, HOOK_NOT_CALLABLE, HOOK_POINTS_EMPTY, HOOK_POINT_UNKNOWN, HOOK_TIMEOUT_INVALID,
 *   HOOK_REINVOKE_INVALID
 */
export function checkHook(hook: Hook, place: string = "the hook", wanted: string = "in the list `points`"): void {
  if (typeof hook?.name !== "string" || hook.name.trim() === "") throw nameless(hook, place);
  if (typeof hook.call !== "function") throw notCallable(hook);
  if (!Array.isArray(hook.points) || hook.points.length === 0) {
    const given = Array.isArray(hook.points) ? "" : `: \`points\` is ${showValue(hook.points)}`;
    throw new HookError(
      "HOOK_POINTS_EMPTY",
      `hook "${hook.name}" names no hook point${given}; give at least one, ${wanted}.`,
    );
  }
  for (const point of hook.points) if (!isHookPoint(point)) throw unknownPoint(point, `hook "${hook.name}"`);
  checkTimeout(hook.timeoutMs, `hook "${hook.name}"`);
  if (hook.reinvoke !== undefined && hook.reinvoke !== "never" && hook.reinvoke !== "if_modified") {
    throw new HookError(
      "HOOK_REINVOKE_INVALID",
      `hook "${hook.name}": reinvoke is ${showValue(hook.reinvoke)}; use "never" or "if_modified".`,
    );
  }
}

/** @throws HookError HOOK_TIMEOUT_INVALID */
export function checkTimeout(timeoutMs: number | undefined, whose: string, option: string = "timeoutMs"): void {
  if (timeoutMs === undefined) return;
  if (typeof timeoutMs === "number" && Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS)
    return;
  throw new HookError(
    "HOOK_TIMEOUT_INVALID",
    `${whose}: ${option} is ${showValue(timeoutMs)}; give milliseconds above 0 and at most ${LONGEST_TIMER_MS}. There is no value for "no limit".`,
  );
}

/** The error for a name that is no point, with the point that was probably meant. */
export function unknownPoint(point: unknown, whose: string): HookError {
  const near = typeof point === "string" ? suggest(point, HOOK_POINT_NAMES) : undefined;
  const hint = near === undefined ? `the points are ${HOOK_POINT_NAMES.join(", ")}.` : `did you mean "${near}"?`;
  return new HookError("HOOK_POINT_UNKNOWN", `${whose} names ${showValue(point)}, which is no hook point; ${hint}`);
}

function nameless(hook: Hook | undefined | null, place: string): HookError {
  const problem =
    typeof hook !== "object" || hook === null
      ? `is ${showValue(hook)}; give an object with a non-blank name`
      : `has ${hook.name === undefined ? "no name" : `the name ${showValue(hook.name)}`}; give it a non-blank one`;
  return new HookError("HOOK_NAME_MISSING", `${place} ${problem}: \`name\` identifies a hook in spans and metrics.`);
}

function notCallable(hook: Hook): HookError {
  const call: unknown = Reflect.get(hook, "call");
  const problem =
    call !== undefined
      ? `call is ${showValue(call)}; give a function`
      : "on" in hook
        ? "it has functions under `on` and no `call`; wrap it in defineHook(…), and register what that returns"
        : "it has no `call`; give a function, or make the hook with defineHook";
  return new HookError("HOOK_NOT_CALLABLE", `hook "${hook.name}": ${problem}.`);
}
