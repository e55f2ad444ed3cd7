import type { Clock, Logger, Redactor } from "@hookscope/hooks";
import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";

import type { BackendHint } from "./backend-hints.ts";
import type { SpanDestination } from "./destinations.ts";
import type { DropListener, DropReason, SinkName } from "./drops.ts";
import type { Environment } from "./environment.ts";
import type { TurnSamplerCounts, TurnSamplerOptions } from "./sampler/index.ts";
import type { QueueSettings } from "./span-queue.ts";

export interface TelemetryOptions {
  /** Wins over OTEL_SERVICE_NAME. */
  readonly serviceName?: string;
  /** The Collector's base address; `/v1/traces` is added. Wins over the OTEL_EXPORTER_OTLP_*ENDPOINT variables. */
  readonly endpoint?: string;
  /** Added to those of OTEL_EXPORTER_OTLP_HEADERS; the same name wins. */
  readonly headers?: Readonly<Record<string, string>>;
  /** False: nothing is sent by OTLP, whatever the environment says. `localSink` and `spanProcessors` get their spans. */
  readonly exportSpans?: boolean;
  /** Characters of a string, 64 at least; default 4,096. A longer one ends with a marker that gives its length. */
  readonly attributeValueLengthLimit?: number;
  /** For whoever makes the spans: whether prompts, arguments and results go onto them. Default false. */
  readonly recordContent?: boolean;
  /** The queue in front of each sink; else OTEL_BSP_*. */
  readonly queue?: Partial<QueueSettings>;
  /**
   * Exports the turns that matter and a share of the rest (docs/sampling.md); default false: everything is exported. True:
   * with its defaults. `spanProcessors` get every span all the same.
   */
  readonly turnSampler?: boolean | TurnSamplerOptions;
  /** What `localSink` gets where turns are sampled; default `everything`. */
  readonly localSpans?: "everything" | "sampled";
  /** Sets the attributes by which these backends tell an agent, a model, a tool and a guardrail apart; default none. */
  readonly backendHints?: readonly BackendHint[];
  /** Further processors. At the end of a span they get its redacted copy. */
  readonly spanProcessors?: readonly SpanProcessor[];
  /** Default: the one of `@hookscope/hooks`. One that throws leaves `[redaction failed]` and no span is lost. */
  readonly redactor?: Redactor;
  /** Gets the same redacted spans, through a queue of its own: a trace store's `exporter`. */
  readonly localSink?: SpanExporter;
  /** Whether signals, uncaught errors and the end of the process flush; default true. */
  readonly exitHandling?: boolean | ExitHandlingOptions;
  /** Stands in for `process.env`, for the SDK too. */
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** Default: standard error. */
  readonly logger?: Logger;
}

export interface ExitHandlingOptions {
  /** Default SIGINT and SIGTERM. */
  readonly signals?: readonly ("SIGINT" | "SIGTERM" | "SIGHUP")[];
  /** For the functions of `onExit` and the flush together, in milliseconds; default 5,000. */
  readonly timeoutMs?: number;
}

/** `timeoutMs`: at most this long; default 5,000. */
export interface FlushOptions {
  readonly timeoutMs?: number;
}

export interface FlushResult {
  /** Everything that had ended before the call arrived. */
  readonly flushed: boolean;
  /** Why not. */
  readonly reason?: "timeout" | "dropped";
}

export interface Telemetry {
  /** False where the start-up check found that nothing records spans, or an SDK of somebody else. */
  readonly recording: boolean;
  /** Where the spans that are recorded go; none where nothing records, or where they go nowhere. */
  readonly destinations: readonly SpanDestination[];
  readonly recordContent: boolean;
  /** Sends what has ended. Never rejects. Spans that did not arrive in time stay in the queue. */
  flush(options?: FlushOptions): Promise<FlushResult>;
  /** Sends what has ended and takes nothing more. Never rejects. What did not arrive in time is counted as lost. */
  shutdown(options?: FlushOptions): Promise<FlushResult>;
  /** Spans lost so far, by reason. */
  dropped(sink?: SinkName): Readonly<Record<DropReason, number>>;
  /** Spans that arrived so far. */
  exported(sink?: SinkName): number;
  /** What the turn sampler decided so far; undefined where turns are not sampled. */
  sampled(): TurnSamplerCounts | undefined;
  /**
   * Whether a turn of this trace is exported for certain, as far as is known now; always true where turns are not sampled.
   * For `createMetrics`, whose exemplars are to open something.
   */
  keepsTrace(traceId: string): boolean;
  /** Spans waiting and being sent. */
  queueSize(sink?: SinkName): number;
  /** Called for every loss, with its count. Returns what takes the listener away again. */
  onDrop(listener: DropListener): () => void;
  /**
   * Called before open spans are ended, at a signal, an uncaught error, `exit` or the natural end: the place for a loop
   * to end its turn. Awaited for half of the exit's time. Returns what takes it away again.
   */
  onExit(callback: () => void | Promise<void>): () => void;
  /** Ends open spans, flushes within the bound, then ends the process. Default code: `process.exitCode`. */
  exit(code?: number): Promise<never>;
}
