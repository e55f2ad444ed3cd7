import { checkBusOptions, checkSurroundings } from "./check-options.ts";
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
import { unknownPoint, type Hook } from "./hook.ts";
import type { JsonObject } from "./json.ts";
import { keepShapes } from "./keep-shapes.ts";
import type { TurnInfo } from "./payloads.ts";
import { HOOK_POINTS, type HookKind, type HookPoint, type PayloadOf } from "./points.ts";
import { HookRegistry } from "./registry.ts";
import { showValue } from "./show-value.ts";
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
  return new Bus(options);
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
    "the loop runs mods through the bus's own invocation, and this bus was not made by createHookBus of this copy of @hookscope/hooks; make it there, and install the package once.",
  );
}

class Bus implements HookBus {
  readonly #core: InvocationCore;
  readonly #registry: HookRegistry;
  readonly #suspendMs: number;

  constructor(options: HookBusOptions) {
    checkBusOptions(options);
    keepShapes();
    this.#core = new InvocationCore(options);
    this.#suspendMs = options.suspendMs ?? DEFAULT_SUSPEND_MS;
    this.#registry = new HookRegistry(this.#core, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    for (const [index, hook] of (options.hooks ?? []).entries()) this.#registry.add(hook, `hooks[${index}]`);
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
    let turn: TurnInfo | undefined;
    let given: PayloadOf<Point>;
    try {
      checkSurroundings("dispatch", signal, options?.parent);
      if (row.hasTurn) turn = turnOf(options?.turn, point, "dispatch");
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
      turn,
      signal,
      parent: options?.parent,
      suspendMs: this.#suspendMs,
    }).run() as Promise<Verdict<Point>>;
  }

  stream(point: "on_stream_delta", options: StreamOptions): DeltaStream {
    if (point !== "on_stream_delta") throw notStreamed(point);
    const turn = turnOf(options?.turn, point, "stream");
    checkSurroundings("stream", options.signal, options.parent);
    return new HookStream({
      core: this.#core,
      registrations: this.#registry.at(point) ?? [],
      turn,
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

/** @throws HookError HOOK_TURN_MISSING */
function turnOf(given: TurnInfo | undefined, point: HookPoint, method: string): TurnInfo {
  const turn: unknown = snapshot(given);
  if (typeof turn === "object" && turn !== null && !Array.isArray(turn)) return turn as TurnInfo;
  throw new HookError(
    "HOOK_TURN_MISSING",
    `${point} belongs to a turn; give \`turn\` to ${method}. turnInfo() makes one.`,
  );
}

function notStreamed(point: unknown): HookError {
  return new HookError(
    "HOOK_POINT_UNKNOWN",
    `stream carries "on_stream_delta" only, not ${showValue(point)}; give its events to dispatch.`,
  );
}
