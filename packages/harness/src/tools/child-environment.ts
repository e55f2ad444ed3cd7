import { env as inherited } from "node:process";

import type { Context } from "@opentelemetry/api";

import { traceHeaders } from "../trace-headers.ts";

/** What a command needs of the environment, and nothing that may be a secret. */
const PASSED_ON: readonly string[] = ["PATH", "HOME", "LANG", "TERM", "TMPDIR", "USER"];

/** A child's environment: the harmless part of this process's, what the embedder adds, and the trace it belongs to. */
export function childEnvironment(
  added: Readonly<Record<string, string>>,
  parent: Context,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = inherited[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...added, ...traceVariables(parent) };
}

/** In the variables of the OpenTelemetry specification for environment carriers. */
function traceVariables(parent: Context): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = traceHeaders(parent);
  return {
    ...(traceparent === undefined ? {} : { TRACEPARENT: traceparent }),
    ...(tracestate === undefined ? {} : { TRACESTATE: tracestate }),
  };
}
