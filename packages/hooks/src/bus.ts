import type { Context, Tracer } from "@opentelemetry/api";

import type { Clock } from "./clock.ts";
import { InvocationCore, type InvocationListener } from "./core.ts";
import { Dispatch } from "./dispatch.ts";
import { HookError } from "./errors.ts";
import { checkTimeout, unknownPoint, type Hook, type Reinvoke } from "./hook.ts";
import type { JsonObject } from "./json.ts";
import type { Logger } from "./logger.ts";
import { activeContext } from "./open-invocation.ts";
import type { StreamDeltaPayload, TurnInfo } from "./payloads.ts";
import {
  HOOK_POINTS,
  isHookPoint,
  type FailurePolicy,
  type HookKind,
  type HookPoint,
  type HookPoints,
  type PayloadOf,
} from "./points.ts";
import type { Redactor } from "./redact/index.ts";
import { HookRegistry } from "./registry.ts";
import { snapshot } from "./snapshot.ts";
import { HookStream } from "./stream.ts";
import type { Verdict } from "./verdict.ts";

export interface HookBusOptions {
  readonly hooks?: readonly Hook[];
  /** The limit of a hook that sets none; 60,000 ms. */
  readonly timeoutMs?: number;
  /** How long a hook that timed out is not run again at that point; 60,000 ms. */
  readonly suspendMs?: number;
  readonly tracer?: Tracer;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly redact?: Redactor;
  /** Past so many hook spans in a turn plain observers are only counted; 5,000. */
  readonly maxSpansPerTurn?: number;
}

type TurnOption<Point extends HookPoint> = HookPoints[Point]["hasTurn"] extends true
  ? { readonly turn: TurnInfo }
  : { readonly turn?: undefined };

export type DispatchOptions<Point extends HookPoint> = TurnOption<Point> & {
  /** Aborting ends a pending hook and makes the verdict `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** The OpenTelemetry context the invocations' spans are made under; default: the active one. */
  readonly parent?: Context | undefined;
};

type DispatchArguments<Point extends HookPoint> = HookPoints[Point]["hasTurn"] extends true
  ? [options: DispatchOptions<Point>]
  : [options?: DispatchOptions<Point>];

/** A live registration: one hook at one point. */
export interface HookListing {
  readonly point: HookPoint;
  readonly hook: string;
  readonly index: number;
  readonly kind: HookKind;
  readonly failurePolicy: FailurePolicy;
  readonly timeoutMs: number;
  readonly reinvoke: Reinvoke;
  readonly source?: string | undefined;
  readonly inFlight: number;
  /** Milliseconds since the epoch; absent when it is not suspended. */
  readonly suspendedUntil?: number | undefined;
  /** Results that came after the hook's time was over, and were dropped. */
  readonly lateResults: number;
  /** Results the point does not accept. */
  readonly resultsIgnored: number;
  /** Stream deltas dropped because the hook was too slow. */
  readonly deltasDropped: number;
}

export interface StreamOptions {
  readonly turn: TurnInfo;
  readonly parent?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DeltaStream {
  /** Never waits for a hook. @throws HookError HOOK_STREAM_CLOSED */
  push(delta: StreamDeltaPayload): void;
  /** Lets the hooks catch up, within their time limits, and ends their spans. */
  close(): Promise<void>;
}

export interface HookBus {
  /** Gives back its own unregister. @throws HookError when the hook cannot be registered */
  register(hook: Hook): () => void;
  /**
   * Gives one event to every hook of a point and folds what they say. The payload is a JSON value, or a function that
   * makes it, called only when there is a hook. Rejects only for misuse, never for what a hook does.
   *
   * @throws HookError HOOK_POINT_UNKNOWN, HOOK_TURN_MISSING
   */
  dispatch<Point extends HookPoint>(
    point: Point,
    payload: PayloadOf<Point> | (() => PayloadOf<Point>),
    ...options: DispatchArguments<Point>
  ): Promise<Verdict<Point>>;
  stream(point: "on_stream_delta", options: StreamOptions): DeltaStream;
  has(point: HookPoint): boolean;
  /** Live registrations, by point, in order. */
  list(): readonly HookListing[];
  /** Called with each invocation, redacted, mod hooks included. What it throws is counted and logged once. */
  subscribe(listener: InvocationListener): () => void;
  /** Calls of listeners that threw. */
  readonly listenerFailures: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_SUSPEND_MS = 60_000;

const NOTHING_TO_DO: Promise<{ readonly decision: "continue"; readonly invocations: readonly never[] }> =
  Promise.resolve(Object.freeze({ decision: "continue", invocations: Object.freeze([]) }));

/** @throws HookError when an option or a hook cannot be used */
export function createHookBus(options: HookBusOptions = {}): HookBus {
  const bus = new Bus(options);
  for (const hook of options.hooks ?? []) bus.register(hook);
  return bus;
}

/** @internal What the loop needs to run mod hooks through the same invocation. */
export function coreOf(bus: HookBus): InvocationCore {
  return Bus.core(bus as Bus);
}

class Bus implements HookBus {
  readonly #core: InvocationCore;
  readonly #registry: HookRegistry;
  readonly #suspendMs: number;

  constructor(options: HookBusOptions) {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#suspendMs = options.suspendMs ?? DEFAULT_SUSPEND_MS;
    checkTimeout(timeoutMs, "the bus");
    checkTimeout(this.#suspendMs, "the bus's suspendMs");
    this.#core = new InvocationCore(options);
    this.#registry = new HookRegistry(this.#core, timeoutMs);
  }

  static core(bus: Bus): InvocationCore {
    return bus.#core;
  }

  get listenerFailures(): number {
    return this.#core.listenerFailures;
  }

  register(hook: Hook): () => void {
    return this.#registry.add(hook);
  }

  dispatch<Point extends HookPoint>(
    point: Point,
    payload: PayloadOf<Point> | (() => PayloadOf<Point>),
    ...[options]: DispatchArguments<Point>
  ): Promise<Verdict<Point>> {
    const registrations = this.#registry.at(point);
    if (registrations === undefined) return Promise.reject(unknownPoint(point, "dispatch"));
    if (registrations.length === 0) return NOTHING_TO_DO as Promise<Verdict<Point>>;
    const row = HOOK_POINTS[point];
    const turn = options?.turn;
    if (row.hasTurn && turn === undefined) return Promise.reject(missingTurn(point));
    let given: PayloadOf<Point>;
    try {
      given = snapshot(typeof payload === "function" ? payload() : payload);
    } catch (error) {
      return Promise.reject(error);
    }
    return new Dispatch({
      core: this.#core,
      point,
      row,
      registrations,
      payload: given as unknown as JsonObject,
      turn: turn === undefined ? undefined : snapshot(turn),
      signal: options?.signal,
      parent: options?.parent ?? activeContext(),
      suspendMs: this.#suspendMs,
    }).run() as Promise<Verdict<Point>>;
  }

  stream(point: "on_stream_delta", options: StreamOptions): DeltaStream {
    if (point !== "on_stream_delta") throw unknownPoint(point, "stream");
    if (options?.turn === undefined) throw missingTurn(point);
    return new HookStream({
      core: this.#core,
      registrations: this.#registry.at(point),
      turn: snapshot(options.turn),
      parent: options.parent ?? activeContext(),
      signal: options.signal,
      suspendMs: this.#suspendMs,
    });
  }

  has(point: HookPoint): boolean {
    if (!isHookPoint(point)) throw unknownPoint(point, "has");
    return this.#registry.at(point).length > 0;
  }

  list(): readonly HookListing[] {
    const now = this.#core.clock.now();
    return this.#registry.all().map(({ hook, site }) => {
      const { point, kind, failurePolicy, timeoutMs, source } = site.description;
      return {
        point: point as HookPoint,
        hook: hook.name,
        index: site.index,
        kind: kind as HookKind,
        failurePolicy,
        timeoutMs,
        reinvoke: hook.reinvoke ?? "never",
        source,
        inFlight: site.inFlight,
        suspendedUntil: site.suspendedUntil > now ? site.suspendedUntil : undefined,
        lateResults: site.lateResults,
        resultsIgnored: site.resultsIgnored,
        deltasDropped: site.deltasDropped,
      };
    });
  }

  subscribe(listener: InvocationListener): () => void {
    return this.#core.subscribe(listener);
  }
}

function missingTurn(point: HookPoint): HookError {
  return new HookError(
    "HOOK_TURN_MISSING",
    `${point} belongs to a turn; give \`turn\` to dispatch. turnInfo() makes one.`,
  );
}
