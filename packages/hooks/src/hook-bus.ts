import type { Context, Tracer } from "@opentelemetry/api";

import type { Clock } from "./clock.ts";
import type { InvocationListener } from "./core.ts";
import type { Hook, Reinvoke } from "./hook.ts";
import type { Logger } from "./logger.ts";
import type { StreamDeltaPayload, TurnInfo } from "./payloads.ts";
import type { FailurePolicy, HookKind, HookPoint, HookPoints, PayloadOf } from "./points.ts";
import type { Redactor } from "./redact/index.ts";
import type { Verdict } from "./verdict.ts";

export interface HookBusOptions {
  readonly hooks?: readonly Hook[];
  /** The limit of a hook that sets none; 60,000 ms. */
  readonly timeoutMs?: number;
  /**
   * How long a hook that timed out is not run again at that point; 60,000 ms. It holds for every session that shares the
   * bus, since a hook that hangs for one is likely to hang for all; `list()` shows it.
   */
  readonly suspendMs?: number;
  /** Default: the global tracer provider's, also of one registered later. */
  readonly tracer?: Tracer;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: the console. */
  readonly logger?: Logger;
  /** Cleans reasons, errors and records before they leave the bus; default: `createRedactor()`. */
  readonly redact?: Redactor;
  /** Past so many hook spans in a turn plain observers are only counted; 5,000. */
  readonly maxSpansPerTurn?: number;
}

type TurnOption<Point extends HookPoint> = HookPoints[Point]["hasTurn"] extends true
  ? { readonly turn: TurnInfo }
  : { readonly turn?: undefined };

export type DispatchOptions<Point extends HookPoint> = TurnOption<Point> & {
  /**
   * Aborting ends a pending hook and makes the verdict `aborted`. Not heeded at the points that close something: their
   * hooks run in their own bounded time, also after an interrupt.
   */
  readonly signal?: AbortSignal | undefined;
  /** The OpenTelemetry context the invocations' spans are made under; default: the active one. */
  readonly parent?: Context | undefined;
};

export type DispatchArguments<Point extends HookPoint> = HookPoints[Point]["hasTurn"] extends true
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
  /** The OpenTelemetry context the streams' spans are made under; default: the active one. */
  readonly parent?: Context | undefined;
  /** Aborting ends the stream: what waits is dropped and counted. */
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
   * makes it, called only when there is a hook. Rejects only for misuse, never for what a hook does: what the function
   * throws, HOOK_POINT_UNKNOWN, HOOK_TURN_MISSING, HOOK_OPTION_INVALID.
   *
   * @throws HookError by rejecting
   */
  dispatch<Point extends HookPoint>(
    point: Point,
    payload: PayloadOf<Point> | (() => PayloadOf<Point>),
    ...options: DispatchArguments<Point>
  ): Promise<Verdict<Point>>;
  /** Gives the deltas of one model call to the hooks of the point, off the token path. @throws HookError */
  stream(point: "on_stream_delta", options: StreamOptions): DeltaStream;
  /** Whether any hook is registered at the point. @throws HookError HOOK_POINT_UNKNOWN */
  has(point: HookPoint): boolean;
  /** Live registrations, by point, in order. */
  list(): readonly HookListing[];
  /**
   * Called with each invocation, redacted, mod hooks included. Gives back its own unsubscribe. What a listener throws, or
   * rejects with, is counted and logged once.
   *
   * @throws HookError HOOK_NOT_CALLABLE
   */
  subscribe(listener: InvocationListener): () => void;
  /** Calls of listeners that failed. */
  readonly listenerFailures: number;
}
