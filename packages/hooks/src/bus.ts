import { InvocationCore, type InvocationListener } from "./core.ts";
import { Dispatch } from "./dispatch.ts";
import { HookError } from "./errors.ts";
import type {
  DeltaStream,
  DispatchArguments,
  HookBus,
  HookBusOptions,
  HookListing,
  StreamOptions,
} from "./hook-bus.ts";
import { checkTimeout, unknownPoint, type Hook } from "./hook.ts";
import type { JsonObject } from "./json.ts";
import { keepShapes } from "./keep-shapes.ts";
import { HOOK_POINTS, type HookKind, type HookPoint, type PayloadOf } from "./points.ts";
import { HookRegistry } from "./registry.ts";
import { snapshot } from "./snapshot.ts";
import { HookStream } from "./stream.ts";
import type { Verdict } from "./verdict.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_SUSPEND_MS = 60_000;

/** The verdicts of a point without hooks. */
const CONTINUE: Promise<Verdict> = Promise.resolve(Object.freeze({ decision: "continue", invocations: [] }));
const ABORTED: Promise<Verdict> = Promise.resolve(Object.freeze({ decision: "aborted", invocations: [] }));

/** @throws HookError when an option or a hook cannot be used */
export function createHookBus(options: HookBusOptions = {}): HookBus {
  const bus = new Bus(options);
  for (const hook of options.hooks ?? []) bus.register(hook);
  return bus;
}

/**
 * @internal What the loop needs to run mod hooks through the same invocation.
 * @throws HookError HOOK_BUS_FOREIGN
 */
export function coreOf(bus: HookBus): InvocationCore {
  const core = Bus.core(bus);
  if (core !== undefined) return core;
  throw new HookError(
    "HOOK_BUS_FOREIGN",
    "the loop runs mods through the bus's own invocation, and this bus was not made by createHookBus of this copy of @hookscope/hooks.",
  );
}

class Bus implements HookBus {
  readonly #core: InvocationCore;
  readonly #registry: HookRegistry;
  readonly #suspendMs: number;

  constructor(options: HookBusOptions) {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#suspendMs = options.suspendMs ?? DEFAULT_SUSPEND_MS;
    checkTimeout(timeoutMs, "the bus");
    checkTimeout(this.#suspendMs, "the bus", "suspendMs");
    checkMaxSpans(options.maxSpansPerTurn);
    keepShapes();
    this.#core = new InvocationCore(options);
    this.#registry = new HookRegistry(this.#core, timeoutMs);
  }

  static core(bus: HookBus): InvocationCore | undefined {
    return #core in bus ? bus.#core : undefined;
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
    const row = HOOK_POINTS[point];
    const signal = row.closes === true ? undefined : options?.signal;
    if (registrations.length === 0) return (signal?.aborted === true ? ABORTED : CONTINUE) as Promise<Verdict<Point>>;
    const turn = row.hasTurn ? options?.turn : undefined;
    if (row.hasTurn && !isObject(turn)) return Promise.reject(missingTurn(point));
    let given: PayloadOf<Point>;
    try {
      given = typeof payload === "function" ? payload() : payload;
    } catch (error) {
      return Promise.reject(error);
    }
    return new Dispatch({
      core: this.#core,
      point,
      row,
      registrations,
      payload: snapshot(given) as unknown as JsonObject,
      turn: turn === undefined ? undefined : snapshot(turn),
      signal,
      parent: options?.parent,
      suspendMs: this.#suspendMs,
    }).run() as Promise<Verdict<Point>>;
  }

  stream(point: "on_stream_delta", options: StreamOptions): DeltaStream {
    if (point !== "on_stream_delta") throw notStreamed(point);
    if (!isObject(options?.turn)) throw missingTurn(point);
    return new HookStream({
      core: this.#core,
      registrations: this.#registry.at(point) ?? [],
      turn: snapshot(options.turn),
      parent: options.parent,
      signal: options.signal,
      suspendMs: this.#suspendMs,
    });
  }

  has(point: HookPoint): boolean {
    const registrations = this.#registry.at(point);
    if (registrations === undefined) throw unknownPoint(point, "has");
    return registrations.length > 0;
  }

  list(): readonly HookListing[] {
    const now = this.#core.clock.now();
    return this.#registry.all().map(({ hook, site }) => {
      const { point, kind, failurePolicy, timeoutMs, source } = site.description;
      return {
        point: point as HookPoint,
        hook: site.description.hook,
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

function checkMaxSpans(limit: number | undefined): void {
  if (limit === undefined || limit === Infinity || (Number.isInteger(limit) && limit >= 0)) return;
  throw new HookError(
    "HOOK_OPTION_INVALID",
    `the bus: maxSpansPerTurn is ${String(limit)}; give a whole number from 0 on, or Infinity.`,
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function notStreamed(point: string): HookError {
  return new HookError(
    "HOOK_POINT_UNKNOWN",
    `stream carries "on_stream_delta" only, not "${point}"; give its events to dispatch.`,
  );
}

function missingTurn(point: HookPoint): HookError {
  return new HookError(
    "HOOK_TURN_MISSING",
    `${point} belongs to a turn; give \`turn\` to dispatch. turnInfo() makes one.`,
  );
}
