import { isAbsolute, join } from "node:path";

import type { Terminal } from "./terminal.ts";

/** What a configuration file may say one day; until then these values hold, and the environment. */
export interface Config {
  /** The local trace store's file. */
  readonly traceStore: string;
  /** Whether spans go out by OTLP. */
  readonly exportSpans: boolean;
  /** Where they go, for saying so; undefined where they do not, or to the standard address. */
  readonly endpoint: string | undefined;
  /** A Jaeger's address, for a link to the trace. */
  readonly jaegerUrl: string | undefined;
  /** Milliseconds a flush at the end may take. */
  readonly flushTimeoutMs: number;
}

export function readConfig({ environment, homeDirectory }: Pick<Terminal, "environment" | "homeDirectory">): Config {
  const endpoint = given(
    environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? environment["OTEL_EXPORTER_OTLP_ENDPOINT"],
  );
  return {
    traceStore: join(stateDirectory(environment, homeDirectory), "traces.db"),
    exportSpans: endpoint !== undefined || given(environment["OTEL_TRACES_EXPORTER"]) !== undefined,
    endpoint,
    jaegerUrl: given(environment["HOOKSCOPE_JAEGER_URL"])?.replace(/\/+$/, ""),
    flushTimeoutMs: 2_000,
  };
}

/** HOOKSCOPE_HOME, or where the XDG base directories put a program's state; a relative XDG path does not count. */
function stateDirectory(environment: Terminal["environment"], homeDirectory: string): string {
  const own = given(environment["HOOKSCOPE_HOME"]);
  if (own !== undefined) return own;
  const state = given(environment["XDG_STATE_HOME"]);
  const base = state !== undefined && isAbsolute(state) ? state : join(homeDirectory, ".local", "state");
  return join(base, "hookscope");
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}
