import { createTraceStore, TelemetryError, type TraceStore } from "@hookscope/telemetry";

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
    const message = `${text}. Set HOOKSCOPE_HOME to a folder that can be written.`;
    throw new TelemetryError(error.code, message, { cause: error });
  }
}

/** For commands that run a turn: without a file the turn is kept in memory, and `note` says why. */
export function openTraceStoreOrMemory(config: Config): { readonly store: TraceStore; readonly note?: string } {
  try {
    return { store: openTraceStore(config) };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const note = `${errorLine(error)} This turn is shown, but not kept for \`hookscope timeline\`.`;
    return { store: createTraceStore({ path: ":memory:" }), note };
  }
}
