import { createHookBus, snapshot, type HookBus } from "@hookscope/hooks";
import { context, ROOT_CONTEXT, trace, type Context, type Tracer } from "@opentelemetry/api";
import { AlwaysOffSampler, TracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace";

import { awaitNothing, byHandActive, byHandRaw, plainLoop, timedLoop } from "./by-hand.ts";
import { counter, makeHooks, MODES, payload, POINT, turn, type Mode } from "./hooks.ts";
import { measure, warmUp, type Aim, type Case } from "./measure.ts";
import { timesTable, type Table } from "./report.ts";

const NOTHING: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

interface Comparison {
  readonly title: string;
  readonly cases: readonly Case[];
}

export async function measureDispatch(): Promise<readonly Table[]> {
  const tables: Table[] = [];
  const all = comparisons();
  // Otherwise the first tables would measure code that is compiled for them alone, and again when the later ones use it too.
  for (const one of all.flatMap(({ cases }) => cases)) await warmUp(one);
  for (const { title, cases } of all) tables.push(timesTable(title, await measure(cases)));
  return tables;
}

function comparisons(): readonly Comparison[] {
  return [
    {
      title: "No hook at the point",
      cases: [awaitNothing(), dispatching({ name: "dispatch, no hooks", count: 0, mode: "async" })],
    },
    ...([1, 4, 16] as const).flatMap((count) => MODES.map((mode) => untraced(count, mode))),
    ...MODES.map((mode) => subscribed(4, mode)),
    ...MODES.map((mode) => traced(4, mode)),
    unrecorded(4),
    { title: "Making a snapshot", cases: [makingSnapshots()] },
  ];
}

/** Issued for four hooks and more. */
const UNTRACED_AIMS: { readonly [Of in Mode]: number } = { async: 1.3, sync: 0.6 };

function untraced(count: number, mode: Mode): Comparison {
  const aims = count < 4 ? [] : [{ atMost: UNTRACED_AIMS[mode] }];
  return {
    title: `Untraced, ${count} ${mode} ${count === 1 ? "hook" : "hooks"}`,
    cases: [
      plainLoop(count, mode),
      timedLoop(count, mode),
      dispatching({ name: "dispatch, time guard, no SDK", count, mode, aims }),
    ],
  };
}

function subscribed(count: number, mode: Mode): Comparison {
  return {
    title: `Somebody listens, untraced, ${count} ${mode} hooks`,
    cases: [
      dispatching({ name: "dispatch, nobody listens", count, mode }),
      dispatching({ name: "dispatch, one subscriber", count, mode, subscribed: true }),
    ],
  };
}

function traced(count: number, mode: Mode): Comparison {
  const provider = new TracerProvider({ spanProcessors: [NOTHING] });
  const tracer = provider.getTracer("bench");
  const parent = trace.setSpan(ROOT_CONTEXT, tracer.startSpan("turn"));
  const aims = [{ atMost: 1.1 }, { atMost: 1.5, of: 1 }];
  return {
    title: `Traced, ${count} ${mode} hooks`,
    cases: [
      byHandActive(count, mode, tracer, parent),
      byHandRaw(count, mode, tracer, parent),
      dispatching({ name: "dispatch, active context for each hook", count, mode, tracer, parent, aims }),
    ],
  };
}

function unrecorded(count: number): Comparison {
  const recording = new TracerProvider({ spanProcessors: [NOTHING] }).getTracer("bench");
  const tracer = new TracerProvider({ spanProcessors: [NOTHING], sampler: new AlwaysOffSampler() }).getTracer("bench");
  const recorded = trace.setSpan(ROOT_CONTEXT, recording.startSpan("turn"));
  const parent = trace.setSpan(ROOT_CONTEXT, tracer.startSpan("turn"));
  return {
    title: `A turn that is not recorded, ${count} async hooks`,
    cases: [
      byHandRaw(count, "async", recording, recorded),
      dispatching({ name: "dispatch under an unsampled turn", count, mode: "async", tracer, parent }),
    ],
  };
}

interface Dispatching {
  readonly name: string;
  readonly count: number;
  readonly mode: Mode;
  readonly aims?: readonly Aim[];
  readonly tracer?: Tracer;
  /** Default: the root context, which is the active one. */
  readonly parent?: Context;
  readonly subscribed?: boolean;
}

function dispatching({ name, count, mode, aims = [], tracer, parent = ROOT_CONTEXT, ...rest }: Dispatching): Case {
  const bus: HookBus = createHookBus({ hooks: makeHooks(count, mode), ...(tracer === undefined ? {} : { tracer }) });
  if (rest.subscribed === true) {
    bus.subscribe(() => {
      counter.value += 1;
    });
  }
  const options = { turn, parent };
  return {
    name,
    aims,
    async run(times) {
      for (let time = 0; time < times; time += 1) await bus.dispatch(POINT, payload, options);
    },
  };
}

function makingSnapshots(): Case {
  const raw = JSON.stringify(payload);
  const fresh = Array.from({ length: 1_000 }, () => JSON.parse(raw) as object);
  return {
    name: "snapshot of a post_tool_call payload",
    run(times) {
      for (let time = 0; time < times; time += 1) {
        counter.value += Object.keys(snapshot({ ...fresh[time % 1_000] })).length;
      }
    },
  };
}

/** The hooks' own contexts nest only where a context manager is there, as an SDK sets one. */
export function contextIsManaged(): boolean {
  const key = Symbol("bench");
  return context.with(ROOT_CONTEXT.setValue(key, true), () => context.active().getValue(key) === true);
}
