import type { Logger } from "@hookscope/hooks";
import {
  createTraceStore,
  startTelemetry,
  type Telemetry,
  type TelemetryOptions,
  type TurnDocument,
} from "@hookscope/telemetry";

import type { Config } from "./config/config.ts";
import { StatusLine } from "./status-line.ts";
import { drawsOn, writeLines, type Terminal } from "./terminal.ts";
import { printable } from "./timeline/text.ts";
import { openTraceStoreOrMemory } from "./trace-store.ts";

/** Telemetry and the trace store, for as long as a command runs. */
export interface Recording {
  readonly telemetry: Telemetry;
  readonly logger: Logger;
  /** A line for a person, on standard error. */
  readonly say: (text: string) => void;
  /** The turn with its spans, once it has ended; undefined where nothing records. */
  document(turnId: string): Promise<TurnDocument | undefined>;
  close(): Promise<void>;
}

/** For a last try where the one before it failed, in milliseconds. */
const HOPELESS_FLUSH_MS = 250;

export interface RecordingOptions {
  /** Whether turns are run: one that only looks needs no file. Default true. */
  readonly runsTurns?: boolean;
}

/** @throws TelemetryError where the configuration or the environment asks for something that cannot be */
export function startRecording(
  terminal: Terminal,
  config: Config,
  { runsTurns = true }: RecordingOptions = {},
): Recording {
  const status = new StatusLine(terminal.errors, { draws: drawsOn(terminal) });
  const say = (text: string): void => {
    status.clear();
    writeLines(terminal.errors, text.split("\n").map(printable));
  };
  const logger: Logger = { warn: (message) => say(`hookscope: ${printable(message)}`) };
  const { store, note } = runsTurns
    ? openTraceStoreOrMemory(config)
    : { store: createTraceStore({ path: ":memory:" }), note: undefined };
  if (note !== undefined) say(`hookscope: ${note}`);
  const telemetry = startTelemetry({
    ...telemetryOptions(terminal, config),
    environment: terminal.environment,
    exportSpans: config.exportSpans,
    localSink: store.exporter,
    spanProcessors: [status],
    // An interrupt ends the turn first; the command sees to that. SIGHUP: the terminal's window was closed.
    exitHandling: { signals: ["SIGTERM", "SIGHUP"] },
    logger,
  });
  let arrives = true;
  return {
    telemetry,
    logger,
    say,
    async document(turnId) {
      arrives = (await telemetry.flush({ timeoutMs: config.flushTimeoutMs })).flushed;
      return store.turn(turnId);
    },
    async close() {
      await telemetry.shutdown({ timeoutMs: arrives ? config.flushTimeoutMs : HOPELESS_FLUSH_MS });
      store.close();
    },
  };
}

/** The file's; where the environment says something, that holds. */
function telemetryOptions(
  { environment }: Terminal,
  { settings, endpoint }: Config,
): Pick<TelemetryOptions, "serviceName" | "endpoint" | "recordContent" | "turnSampler" | "backendHints"> {
  const { endpoint: fromFile, service_name: name = "hookscope", ...given } = settings.telemetry ?? {};
  return {
    ...(hasServiceName(environment) ? {} : { serviceName: name }),
    ...(fromFile === undefined || endpoint !== fromFile ? {} : { endpoint: fromFile }),
    ...(given.record_content === undefined ? {} : { recordContent: given.record_content }),
    ...(given.turn_sampler === undefined ? {} : { turnSampler: given.turn_sampler }),
    ...(given.backend_hints === undefined ? {} : { backendHints: given.backend_hints }),
  };
}

function hasServiceName(environment: Terminal["environment"]): boolean {
  const { OTEL_SERVICE_NAME: name = "", OTEL_RESOURCE_ATTRIBUTES: attributes = "" } = environment;
  return name !== "" || /(?:^|,)\s*service\.name\s*=/.test(attributes);
}
