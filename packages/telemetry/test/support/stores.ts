import { createTraceStore, TelemetryError, type TraceStore } from "@hookscope/telemetry";
import { ROOT_CONTEXT, trace, type Span } from "@opentelemetry/api";
import { afterEach } from "vitest";

/** The year 2100, in milliseconds: an SDK takes a small number for a time since the process started, if it is as old as that. */
export const EPOCH: number = Date.UTC(2100);

const stores: TraceStore[] = [];

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

/** A store that is closed after the test. */
export function open(path = ":memory:", maxTurns?: number): TraceStore {
  const store = createTraceStore({ path, ...(maxTurns === undefined ? {} : { maxTurns }) });
  stores.push(store);
  return store;
}

/** The code of the error a call throws; what it returns, or throws otherwise, where that is no error of ours. */
export function codeOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error instanceof TelemetryError ? error.code : error;
  }
}

interface TurnOptions {
  readonly session?: string;
  /** Milliseconds after `EPOCH`. */
  readonly startTime?: number;
  readonly parent?: Span;
  readonly parentTurn?: string;
  readonly blocked?: boolean;
  readonly inside?: (turn: Span) => void | Promise<void>;
}

/** A turn's span with the attributes the loop sets. */
export async function makeTurn(turnId: string, options: TurnOptions = {}): Promise<void> {
  const { session = "s1", startTime = 1_000_000, parent, parentTurn, blocked, inside } = options;
  const turn = trace.getTracer("test").startSpan(
    "invoke_agent reviewer",
    {
      startTime: EPOCH + startTime,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "reviewer",
        "session.id": session,
        "agent_turn.id": turnId,
        "agent_turn.outcome": "end_turn",
        ...(parentTurn === undefined ? {} : { "agent_turn.parent_id": parentTurn }),
        ...(blocked === undefined ? {} : { "agent_turn.has_block": blocked }),
      },
    },
    parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
  );
  await inside?.(turn);
  turn.end(EPOCH + startTime + 100.5);
}
