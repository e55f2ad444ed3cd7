import type { AttributeKey, SpanAttributes, SpanType } from "@hookscope/hooks";
import { spanTypeOf } from "@hookscope/hooks/internal";
import type { Span, SpanProcessor } from "@opentelemetry/sdk-trace";

import { TelemetryError } from "./errors.ts";

/** Backends that want to be told what a span is in their own words. `openinference`: Phoenix and Arize. */
export const BACKEND_HINTS = ["openinference", "langfuse"] as const;

export type BackendHint = (typeof BACKEND_HINTS)[number];

/**
 * Sets `openinference.span.kind` and `langfuse.observation.type` on our spans when they start, for bring-your-own SDKs;
 * `startTelemetry` has it as an option. A span that says so itself keeps its word.
 *
 * @throws {TelemetryError} TELEMETRY_OPTION_INVALID
 */
export function createBackendHints(backends: readonly BackendHint[]): SpanProcessor {
  for (const backend of backends) {
    if (BACKEND_HINTS.includes(backend)) continue;
    throw new TelemetryError(
      "TELEMETRY_OPTION_INVALID",
      `backendHints knows ${BACKEND_HINTS.join(" and ")}, not ${JSON.stringify(backend)}`,
    );
  }
  return new BackendHints(new Set(backends));
}

class BackendHints implements SpanProcessor {
  readonly #backends: ReadonlySet<BackendHint>;

  constructor(backends: ReadonlySet<BackendHint>) {
    this.#backends = backends;
  }

  onStart(span: Span): void {
    const words = wordsFor(span);
    if (words === undefined) return;
    for (const backend of this.#backends) {
      const key = KEYS[backend];
      const attributes: SpanAttributes = { [key]: words[backend] };
      if (span.attributes[key] === undefined) span.setAttributes(attributes);
    }
  }

  onEnd(): void {}

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

const KEYS: { readonly [Backend in BackendHint]: AttributeKey } = {
  openinference: "openinference.span.kind",
  langfuse: "langfuse.observation.type",
};

type Words = { readonly [Backend in BackendHint]: string };

const CHAIN: Words = { openinference: "CHAIN", langfuse: "chain" };
const GUARDRAIL: Words = { openinference: "GUARDRAIL", langfuse: "guardrail" };

const WORDS: { readonly [Type in SpanType]: Words } = {
  message: CHAIN,
  turn: { openinference: "AGENT", langfuse: "agent" },
  hook: CHAIN,
  model_call: { openinference: "LLM", langfuse: "generation" },
  tool_call: { openinference: "TOOL", langfuse: "tool" },
  approval: { openinference: "CHAIN", langfuse: "span" },
  compaction: CHAIN,
  session_end: CHAIN,
};

/** A directive hook decides whether something goes on: it is the guardrail. The others watch and change. */
function wordsFor(span: Span): Words | undefined {
  const type = spanTypeOf(span);
  if (type === "hook" && span.attributes["agent_hook.kind"] === "directive") return GUARDRAIL;
  return type === undefined ? undefined : WORDS[type];
}
