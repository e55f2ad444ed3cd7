import type { SpanExporter } from "@opentelemetry/sdk-trace";

import { TelemetryError } from "../errors.ts";
import type { TraceDocument, TurnDocument, TurnSummary } from "./documents.ts";
import { IN_MEMORY, openDatabase } from "./open-database.ts";
import { SpanWriter } from "./span-writer.ts";
import { TraceReader } from "./trace-reader.ts";

export interface TraceStoreOptions {
  /** A file, made where there is none; or `:memory:`. */
  readonly path: string;
  /** Turns kept, subagents' not counted; default 1,000. The oldest go first, with their traces. */
  readonly maxTurns?: number;
}

export interface TurnsQuery {
  /** Default 20. */
  readonly limit?: number;
  readonly session?: string;
  /** Only turns in which a tool call was blocked, or only the others. */
  readonly blocked?: boolean;
}

/** Finished turns, on this machine. Several processes may write to one file. */
export interface TraceStore {
  /** For `startTelemetry({ localSink })`. It answers at once. */
  readonly exporter: SpanExporter;
  /** The turn that started last, a subagent's not counted. */
  lastTurn(): TurnDocument | undefined;
  turn(turnId: string): TurnDocument | undefined;
  trace(traceId: string): TraceDocument | undefined;
  /** The latest first; subagents' turns are part of their parent's. @throws {TelemetryError} TELEMETRY_OPTION_INVALID */
  turns(query?: TurnsQuery): readonly TurnSummary[];
  close(): void;
}

/** @throws {TelemetryError} TELEMETRY_OPTION_INVALID, TRACE_STORE_UNWRITABLE, TRACE_STORE_FOREIGN, TRACE_STORE_TOO_NEW */
export function createTraceStore(options: TraceStoreOptions): TraceStore {
  const { path, maxTurns = DEFAULT_MAX_TURNS } = options;
  if (!Number.isInteger(maxTurns) || maxTurns < 1) {
    throw new TelemetryError("TELEMETRY_OPTION_INVALID", "maxTurns must be a whole number of at least 1");
  }
  const database = openDatabase(path);
  const writer = new SpanWriter(database, maxTurns);
  const reader = new TraceReader(database);
  let isClosed = false;
  const open = <T>(read: () => T): T => {
    if (isClosed) {
      throw new TelemetryError("TRACE_STORE_CLOSED", `${path === IN_MEMORY ? "the trace store" : path} was closed`);
    }
    return read();
  };
  return {
    exporter: writer,
    lastTurn: () => open(() => reader.lastTurn()),
    turn: (turnId) => open(() => reader.turn(turnId)),
    trace: (traceId) => open(() => reader.trace(traceId)),
    turns: (query = {}) => open(() => reader.turns(checkedLimit(query.limit), query.session, query.blocked)),
    close: () => {
      if (isClosed) return;
      isClosed = true;
      database.close();
    },
  };
}

const DEFAULT_MAX_TURNS = 1_000;
const DEFAULT_LIMIT = 20;

function checkedLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new TelemetryError("TELEMETRY_OPTION_INVALID", `limit is ${limit}; it must be a whole number of at least 1`);
}
