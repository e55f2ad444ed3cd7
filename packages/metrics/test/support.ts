import { ROOT_CONTEXT, trace, type Context, type Tracer } from "@opentelemetry/api";
import {
  createHookBus,
  turnInfo,
  withTurnTotals,
  type Clock,
  type Hook,
  type HookBus,
  type HookBusOptions,
  type HookPoint,
  type PayloadOf,
  type Timer,
  type TurnInfo,
  type TurnTotals,
  type Usage,
} from "@hookscope/hooks";
import { TracerProvider } from "@opentelemetry/sdk-trace";

import { createMetrics, type Metrics, type MetricsOptions } from "../src/index.ts";
import { expose, OPEN_METRICS, PLAIN_TEXT } from "../src/exposition.ts";

/** A clock that goes on when it is told to. */
export class ManualClock implements Clock {
  time: number = Date.UTC(2026, 10, 30, 12);
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  now(): number {
    return this.time;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const timer = { at: this.time + delayMs, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  advance(ms: number): void {
    this.time += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.time)) {
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}

export const TURN: TurnInfo = turnInfo({
  turn_id: "turn-1",
  session_id: "session-1",
  profile: "support",
  agent: "reviewer",
  model: "m1",
});

export interface Rig {
  readonly metrics: Metrics;
  readonly bus: HookBus;
  readonly clock: ManualClock;
  readonly warnings: string[];
  readonly fire: <Point extends HookPoint>(
    point: Point,
    payload: PayloadOf<Point>,
    turn?: TurnInfo,
    parent?: Context,
  ) => Promise<void>;
  /** The lines of these metrics without comments, as a scraper of either format gets them. */
  readonly lines: (...names: readonly string[]) => Promise<readonly string[]>;
  readonly plainLines: (...names: readonly string[]) => Promise<readonly string[]>;
}

/** Metrics on a bus of their own, with a clock that stands still. */
export function rig(
  options: MetricsOptions = {},
  more: { readonly hooks?: readonly Hook[]; readonly bus?: HookBusOptions; readonly clock?: ManualClock } = {},
): Rig {
  const clock = more.clock ?? new ManualClock();
  const warnings: string[] = [];
  const logger = { warn: (message: string) => void warnings.push(message) };
  const metrics = createMetrics({ clock, logger, ...options });
  const hooks = [...(more.hooks ?? []), ...metrics.hooks];
  const bus = createHookBus({ clock, logger, hooks, ...more.bus });
  const read = async (format: typeof OPEN_METRICS | typeof PLAIN_TEXT, names: readonly string[]) =>
    linesOf(await expose(metrics.registry, format), names);
  return {
    metrics,
    bus,
    clock,
    warnings,
    fire: async (point, payload, turn = TURN, parent = ROOT_CONTEXT) => {
      await bus.dispatch(point, payload, { turn, parent } as never);
    },
    lines: (...names) => read(OPEN_METRICS, names),
    plainLines: (...names) => read(PLAIN_TEXT, names),
  };
}

export function linesOf(text: string, names: readonly string[]): readonly string[] {
  const wanted = new RegExp(`^(${names.join("|")})(_bucket|_sum|_count)?[ {]`);
  return text.split("\n").filter((line) => wanted.test(line));
}

export function usage(given: Partial<Usage> = {}): Usage {
  return {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    ...given,
  };
}

export function modelCall(given: Partial<PayloadOf<"post_api_request">> = {}): PayloadOf<"post_api_request"> {
  return {
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    usage: usage({ input_tokens: 1_000, output_tokens: 100 }),
    stop: "end_turn",
    iteration: 1,
    attempt: 1,
    response_model: "claude-sonnet-4-5",
    duration_ms: 2_000,
    purpose: "turn",
    ...given,
  };
}

export function failedCall(given: Partial<PayloadOf<"api_request_error">> = {}): PayloadOf<"api_request_error"> {
  return {
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    status_code: 529,
    retryable: true,
    error: "overloaded",
    error_type: "Overloaded",
    iteration: 1,
    attempt: 1,
    max_attempts: 3,
    duration_ms: 500,
    purpose: "turn",
    ...given,
  };
}

export function toolCall(given: Partial<PayloadOf<"post_tool_call">> = {}): PayloadOf<"post_tool_call"> {
  return {
    tool_name: "shell",
    args: {},
    result: "",
    is_error: false,
    call_id: "call-1",
    status: "ok",
    duration_ms: 20,
    ...given,
  };
}

/** A real SDK whose ids count up, so that a text with exemplars is exact. */
export function countingTracer(): Tracer {
  let spans = 0;
  return new TracerProvider({
    idGenerator: {
      generateTraceId: () => "0af7651916cd43dd8448eb211c80319c",
      generateSpanId: () => (++spans).toString(16).padStart(16, "0"),
    },
  }).getTracer("test");
}

/** A context with a sampled span and the turn's totals. */
export function turnContext(tracer: Tracer, totals?: TurnTotals): Context {
  const parent = trace.setSpan(ROOT_CONTEXT, tracer.startSpan("invoke_agent reviewer"));
  return totals === undefined ? parent : withTurnTotals(parent, totals);
}
