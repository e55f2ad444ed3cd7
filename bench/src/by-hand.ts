import type { Context, Tracer } from "@opentelemetry/api";

import { event, makeHooks, POINT, turn, type Mode } from "./hooks.ts";
import type { Case } from "./measure.ts";

/* The same calls written by hand: what the dispatcher is compared with. */

export function awaitNothing(): Case {
  const nothing = async (): Promise<void> => undefined;
  return repeated("await an empty async function", nothing);
}

export function plainLoop(count: number, mode: Mode): Case {
  const hooks = makeHooks(count, mode);
  return repeated("plain loop that awaits each hook", async () => {
    for (const hook of hooks) await hook.call(event, undefined as never);
  });
}

/** What timing alone costs: one reading of the clock at each boundary, since one hook ends where the next begins. */
export function timedLoop(count: number, mode: Mode): Case {
  const hooks = makeHooks(count, mode);
  return repeated("the same loop, with the clock read around each hook", async () => {
    const durations: number[] = [];
    let start = performance.now();
    for (const hook of hooks) {
      await hook.call(event, undefined as never);
      const end = performance.now();
      durations.push(end - start);
      start = end;
    }
    return durations;
  });
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

export function byHandActive(count: number, mode: Mode, tracer: Tracer, parent: Context): Case {
  const hooks = makeHooks(count, mode);
  return repeated("the same calls by hand, startActiveSpan, the same attributes", async () => {
    for (const hook of hooks) {
      await tracer.startActiveSpan(`${POINT} ${hook.name}`, { attributes: START_ATTRIBUTES }, parent, async (span) => {
        await hook.call(event, undefined as never);
        span.setAttributes(endAttributes());
        span.end();
      });
    }
  });
}

export function byHandRaw(count: number, mode: Mode, tracer: Tracer, parent: Context): Case {
  const hooks = makeHooks(count, mode);
  return repeated("the same calls by hand, raw startSpan and end, the same attributes", async () => {
    for (const hook of hooks) {
      const span = tracer.startSpan(`${POINT} ${hook.name}`, { attributes: START_ATTRIBUTES }, parent);
      await hook.call(event, undefined as never);
      span.setAttributes(endAttributes());
      span.end();
    }
  });
}

function repeated(name: string, once: () => Promise<unknown>): Case {
  return {
    name,
    async run(times) {
      for (let time = 0; time < times; time += 1) await once();
    },
  };
}
