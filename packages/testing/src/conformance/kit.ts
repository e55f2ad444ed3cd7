import { strict as assert } from "node:assert";

import {
  HOOK_POINTS,
  type DispatchOptions,
  type Hook,
  type HookBus,
  type HookBusOptions,
  type HookContext,
  type HookEvent,
  type HookInvocation,
  type HookPoint,
  type Verdict,
} from "@hookscope/hooks";

import { createFakeClock, type FakeClock } from "../fake-clock.ts";
import { collectWarnings, type WarningCollector } from "../warnings.ts";
import { SAMPLE_PAYLOADS, SAMPLE_TURN } from "./samples.ts";

/** Makes the bus under test. The cases give it a clock and a logger, sometimes limits, never a tracer. */
export type CreateHookBus = (options: HookBusOptions) => HookBus;

/** One rule, as a sentence, and its proof. */
export interface ConformanceCase {
  readonly rule: string;
  /** Rejects with an AssertionError where the bus breaks the rule. */
  readonly run: (createBus: CreateHookBus) => Promise<void>;
}

export interface Bench {
  readonly bus: HookBus;
  readonly clock: FakeClock;
  readonly log: WarningCollector;
  /** What the bus's listeners were given, in order. */
  readonly records: readonly HookInvocation[];
}

/** A bus with these hooks, on a clock that stands still. */
export function setUp(createBus: CreateHookBus, hooks: readonly Hook[], options: HookBusOptions = {}): Bench {
  const clock = createFakeClock();
  const log = collectWarnings();
  const bus = createBus({ clock, logger: log, ...options });
  const records: HookInvocation[] = [];
  bus.subscribe((invocation) => void records.push(invocation));
  for (const hook of hooks) bus.register(hook);
  return { bus, clock, log, records };
}

type Answer = (event: HookEvent, context: HookContext) => unknown;

/** A hook as untyped code would write it. `answer` is what it does, or what it returns. */
export function hook(name: string, point: HookPoint, answer: unknown, more: Partial<Hook> = {}): Hook {
  const call = typeof answer === "function" ? (answer as Answer) : () => answer;
  return { name, points: [point], call: call as Hook["call"], ...more };
}

/** The point's sample payload, under the sample turn where the point has one. */
export function dispatch(
  bus: HookBus,
  point: HookPoint,
  options: { readonly signal?: AbortSignal } = {},
  payload: unknown = SAMPLE_PAYLOADS[point],
): Promise<Verdict> {
  const turn = HOOK_POINTS[point].hasTurn ? { turn: SAMPLE_TURN } : {};
  const send = bus.dispatch.bind(bus) as (
    point: HookPoint,
    payload: unknown,
    options: DispatchOptions<HookPoint>,
  ) => Promise<Verdict>;
  return send(point, payload, { ...turn, ...options } as DispatchOptions<HookPoint>);
}

/** One invocation as a line: `policy ok block applied`; the last word says why not, or is `-`. The pass only if not 1. */
export function line(invocation: HookInvocation): string {
  const { hook: name, pass, execution, decision, applied, notAppliedReason } = invocation;
  return `${name}${pass === 1 ? "" : `#${pass}`} ${execution} ${decision} ${applied ? "applied" : (notAppliedReason ?? "-")}`;
}

/** The verdict without its invocations, and these as lines. */
export function assertVerdict(verdict: Verdict, expected: object, lines: readonly string[]): void {
  const { invocations, ...rest } = verdict;
  assert.deepEqual(invocations.map(line), lines);
  assert.deepEqual(rest, expected);
}

export const CONTINUE: { readonly decision: "continue" } = { decision: "continue" };
export const ABORTED: { readonly decision: "aborted" } = { decision: "aborted" };

/** What promises take for one of theirs, though it need not keep their rules. */
export function thenable(then: (resolve: (value: unknown) => void) => void): object {
  const value = {};
  Reflect.set(value, "then", then);
  return value;
}

/** Never settles. */
export function hang(): Promise<never> {
  return new Promise(() => {});
}
