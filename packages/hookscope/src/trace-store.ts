import { createTraceStore, TelemetryError, type TelemetryErrorCode, type TraceStore } from "@hookscope/telemetry";

import type { Config } from "./config/config.ts";
import { codeOf, errorLine } from "./errors.ts";

/** @throws TelemetryError, with what to do about it */
export function openTraceStore({ traceStore }: Config): TraceStore {
  try {
    return createTraceStore({ path: traceStore });
  } catch (error) {
    if (!(error instanceof TelemetryError)) throw error;
    const text = errorLine(error)
      .replace(/^[A-Z_]+: /, "")
      .replace(/[.\s]*$/, "");
    throw new TelemetryError(error.code, `${text}. ${ADVICE[error.code] ?? ELSEWHERE}`, { cause: error });
  }
}

const ELSEWHERE =
  "Set HOOKSCOPE_HOME to a folder that can be written, or trace_store under [telemetry] to another file.";
const ADVICE: { readonly [Code in TelemetryErrorCode]?: string } = {
  TRACE_STORE_FOREIGN: "Move it away, or set trace_store under [telemetry] to another file.",
  TRACE_STORE_TOO_NEW: "Use that newer version, or set trace_store under [telemetry] to another file.",
};

/** For commands that run a turn: without a file the turn is kept in memory, and `note` says why. */
export function openTraceStoreOrMemory(config: Config): {
  readonly store: TraceStore;
  readonly note?: string | undefined;
} {
  try {
    return { store: openTraceStore(config) };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const note = `${errorLine(error)} This turn is shown, but not kept for \`hookscope timeline\`.`;
    return { store: createTraceStore({ path: ":memory:" }), note };
  }
}
