import {
  createHookBus,
  snapshot,
  turnInfo,
  type Hook,
  type HookBus,
  type PayloadOf,
  type TurnInfo,
} from "@hookscope/hooks";
import { context, ROOT_CONTEXT, trace, type Context, type Tracer } from "@opentelemetry/api";
import { AlwaysOffSampler, TracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace";

import { measure, type Case, type Measured } from "./measure.ts";

/*
 * Hook bodies add one to a counter, so every figure is pure overhead. Payloads and turns are snapshots made beforehand;
 * what a snapshot itself costs has a line of its own.
 */

const POINT = "post_tool_call";
let counter = 0;

const turn: TurnInfo = turnInfo({ agent: "bench" });
const payload: PayloadOf<typeof POINT> = snapshot({
  tool_name: "shell",
  args: { command: "ls -l", timeout_ms: 1000 },
  result: "ok",
  is_error: false,
  call_id: "call_1",
  status: "ok",
  duration_ms: 12,
});

const NOTHING: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

type Mode = "async" | "sync";

interface Row {
  readonly title: string;
  readonly cases: readonly Case[];
}

export interface Table {
  readonly title: string;
  readonly measured: readonly Measured[];
}

export async function measureDispatch(): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const { title, cases } of rows()) tables.push({ title, measured: await measure(cases) });
  return tables;
}

function rows(): readonly Row[] {
  return [
    {
      title: "No hook at the point",
      cases: [awaitNothing(), dispatchWith("dispatch, no hooks", 0, "async", undefined, ROOT_CONTEXT)],
    },
    ...([1, 4, 16] as const).flatMap((count) =>
      (["async", "sync"] as const).map((mode) => ({
        title: `Untraced, ${count} ${mode} ${count === 1 ? "hook" : "hooks"}`,
        cases: [
          plainLoop(count, mode),
          dispatchWith("dispatch, time guard, no SDK", count, mode, undefined, ROOT_CONTEXT),
        ],
      })),
    ),
    ...(["async", "sync"] as const).map((mode) => tracedRow(4, mode)),
    unsampledRow(4),
    { title: "Making a snapshot", cases: [makeSnapshot()] },
  ];
}

function tracedRow(count: number, mode: Mode): Row {
  const provider = new TracerProvider({ spanProcessors: [NOTHING] });
  const tracer = provider.getTracer("bench");
  const parent = trace.setSpan(ROOT_CONTEXT, tracer.startSpan("turn"));
  return {
    title: `Traced, ${count} ${mode} hooks`,
    cases: [
      byHandActive(count, mode, tracer, parent),
      byHandRaw(count, mode, tracer, parent),
      dispatchWith("dispatch, active context for each hook", count, mode, tracer, parent),
    ],
  };
}

function unsampledRow(count: number): Row {
  const recording = new TracerProvider({ spanProcessors: [NOTHING] }).getTracer("bench");
  const off = new TracerProvider({ spanProcessors: [NOTHING], sampler: new AlwaysOffSampler() }).getTracer("bench");
  const parent = trace.setSpan(ROOT_CONTEXT, recording.startSpan("turn"));
  const unsampled = trace.setSpan(ROOT_CONTEXT, off.startSpan("turn"));
  return {
    title: `A turn that is not recorded, ${count} async hooks`,
    cases: [
      byHandRaw(count, "async", recording, parent),
      dispatchWith("dispatch under an unsampled turn", count, "async", off, unsampled),
    ],
  };
}

function makeHooks(count: number, mode: Mode): readonly Hook[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `hook_${index}`,
    points: [POINT],
    call:
      mode === "async"
        ? async () => {
            counter += 1;
          }
        : () => {
            counter += 1;
          },
  }));
}

function awaitNothing(): Case {
  const nothing = async (): Promise<void> => undefined;
  return {
    name: "await an empty async function",
    async run(times) {
      for (let time = 0; time < times; time += 1) await nothing();
    },
  };
}

function plainLoop(count: number, mode: Mode): Case {
  const hooks = makeHooks(count, mode);
  const event = { point: POINT, payload, turn } as const;
  const once = async (): Promise<void> => {
    for (const hook of hooks) await hook.call(event, undefined as never);
  };
  return {
    name: "plain loop that awaits each hook",
    async run(times) {
      for (let time = 0; time < times; time += 1) await once();
    },
  };
}

function dispatchWith(name: string, count: number, mode: Mode, tracer: Tracer | undefined, parent: Context): Case {
  const bus: HookBus = createHookBus({ hooks: makeHooks(count, mode), ...(tracer === undefined ? {} : { tracer }) });
  const options = { turn, parent };
  return {
    name,
    async run(times) {
      for (let time = 0; time < times; time += 1) await bus.dispatch(POINT, payload, options);
    },
  };
}

const START_ATTRIBUTES = Object.freeze({
  "agent_hook.point": POINT,
  "agent_hook.name": "hook_0",
  "agent_hook.kind": "observer",
  "agent_hook.index": 0,
  "agent_hook.pass": 1,
  "agent_hook.failure_policy": "open",
  "agent_hook.timeout": 60,
});

function endAttributes(): Record<string, string | boolean> {
  return {
    "agent_hook.execution": "ok",
    "agent_hook.decision": "continue",
    "agent_hook.applied": false,
    "session.id": turn.session_id,
    "gen_ai.conversation.id": turn.session_id,
    "agent_turn.id": turn.turn_id,
  };
}

function byHandActive(count: number, mode: Mode, tracer: Tracer, parent: Context): Case {
  const hooks = makeHooks(count, mode);
  const event = { point: POINT, payload, turn } as const;
  const once = async (): Promise<void> => {
    for (const hook of hooks) {
      await tracer.startActiveSpan(`${POINT} ${hook.name}`, { attributes: START_ATTRIBUTES }, parent, async (span) => {
        await hook.call(event, undefined as never);
        span.setAttributes(endAttributes());
        span.end();
      });
    }
  };
  return {
    name: "the same calls by hand, startActiveSpan, the same attributes",
    async run(times) {
      for (let time = 0; time < times; time += 1) await once();
    },
  };
}

function byHandRaw(count: number, mode: Mode, tracer: Tracer, parent: Context): Case {
  const hooks = makeHooks(count, mode);
  const event = { point: POINT, payload, turn } as const;
  const once = async (): Promise<void> => {
    for (const hook of hooks) {
      const span = tracer.startSpan(`${POINT} ${hook.name}`, { attributes: START_ATTRIBUTES }, parent);
      await hook.call(event, undefined as never);
      span.setAttributes(endAttributes());
      span.end();
    }
  };
  return {
    name: "the same calls by hand, raw startSpan and end, the same attributes",
    async run(times) {
      for (let time = 0; time < times; time += 1) await once();
    },
  };
}

function makeSnapshot(): Case {
  const raw = JSON.stringify(payload);
  const fresh = Array.from({ length: 1_000 }, () => JSON.parse(raw) as object);
  return {
    name: "snapshot of a post_tool_call payload",
    run(times) {
      for (let time = 0; time < times; time += 1) counter += Object.keys(snapshot({ ...fresh[time % 1_000] })).length;
    },
  };
}

/** The hooks' own contexts nest only where a context manager is there, as an SDK sets one. */
export function contextIsManaged(): boolean {
  const key = Symbol("bench");
  return context.with(ROOT_CONTEXT.setValue(key, true), () => context.active().getValue(key) === true);
}
