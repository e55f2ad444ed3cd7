import { createRedactor, createSystemClock } from "@hookscope/hooks";
import { trace } from "@opentelemetry/api";
import {
  defaultResource,
  envDetector,
  serviceInstanceIdDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { NodeSDK } from "@opentelemetry/sdk-node";
import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";

import { createBackendHints } from "./backend-hints.ts";
import { destinationsOf } from "./destinations.ts";
import { DropCounter, type DropListener, type SinkName } from "./drops.ts";
import { withEnvironment, type Environment } from "./environment.ts";
import { TelemetryError } from "./errors.ts";
import { ExitHandling, type ExitSettings } from "./exit-handling.ts";
import { createExporters } from "./exporters.ts";
import { GuardedProcessor } from "./guarded-processor.ts";
import { OpenSpans } from "./open-spans.ts";
import type { ExitHandlingOptions, Telemetry, TelemetryOptions } from "./options.ts";
import { createCleanText, createPrepareSpan } from "./prepare-span.ts";
import { RunningTelemetry, type Sink } from "./running-telemetry.ts";
import { createTurnSampler, type TurnSampler } from "./sampler/index.ts";
import { isRegistered, reachesAnSdk } from "./self-check.ts";
import { SessionAttributes } from "./session.ts";
import { checkedTimeout, readSettings, type Settings } from "./settings.ts";
import { SpanQueue } from "./span-queue.ts";
import { createWarn, type Warn } from "./warnings.ts";

/**
 * Starts the OpenTelemetry SDK of this process: spans go out by OTLP over HTTP, redacted and cut, and every one that does
 * not arrive is counted. The standard OTEL_ variables hold where an option does not say otherwise. No logs or metrics
 * exporter is started. Synchronous: spans made after it returns are recorded.
 *
 * Where another SDK is registered already, nothing is added, and a warning says so.
 * @throws {TelemetryError} TELEMETRY_OPTION_INVALID, TELEMETRY_ENDPOINT_INVALID
 */
export function startTelemetry(options: TelemetryOptions = {}): Telemetry {
  const warn = createWarn(options.logger);
  const clock = options.clock ?? createSystemClock();
  const environment = options.environment ?? process.env;
  const settings = readSettings(options, environment, warn);
  const exit = readExit(options.exitHandling ?? true);
  const listeners = new Set<DropListener>();
  const redactor = options.redactor ?? createRedactor();
  const prepare = createPrepareSpan(redactor, settings.attributeValueLengthLimit);
  const clean = createCleanText(redactor, LONGEST_QUOTE);
  const openSpans = new OpenSpans(clock, MAX_OPEN_SPANS);
  const { backendHints = [] } = options;
  const hints = createBackendHints(backendHints);
  const isTaken = saysAlreadyRegistered(warn);
  const addsNothing = isTaken || settings.disabled;

  const sinkOf = (name: SinkName, destination: string, exporter: SpanExporter): Sink => {
    const drops = new DropCounter(name, destination, { warn, listeners, clock });
    return { name, queue: new SpanQueue(exporter, prepare, drops, settings.queue, clock) };
  };
  const guarded = (options.spanProcessors ?? []).map((processor) => new GuardedProcessor(processor, prepare, warn));
  const sinks = addsNothing
    ? []
    : [
        ...createExporters(options, settings, environment, { clean, warn }).map((exporter) =>
          sinkOf("export", "the trace backend", exporter),
        ),
        ...(options.localSink === undefined ? [] : [sinkOf("local", "the local sink", options.localSink)]),
      ];
  const sampler = createSampler(options, sinks);
  const processors = addsNothing ? [] : [...guarded, ...inFrontOf(sinks, sampler, options)];
  if (!addsNothing)
    startSdk(options, environment, [
      new SessionAttributes(),
      ...(backendHints.length === 0 ? [] : [hints]),
      openSpans,
      ...processors,
    ]);
  const isStarted = !addsNothing && reachesAnSdk();
  const recording = isStarted && !settings.sampledOut;
  if (!recording && !isTaken) warn("TELEMETRY_NOT_RECORDING", likeliestCause(settings));
  const destinations = recording ? destinationsOf(options, settings) : [];
  if (recording && destinations.length === 0) warn("TELEMETRY_NO_DESTINATION", whyNowhere(options));

  return new RunningTelemetry({
    recording,
    destinations,
    recordContent: options.recordContent ?? false,
    sinks,
    sampler,
    processors,
    guarded,
    openSpans,
    listeners,
    clock,
    unregister: () => {
      if (isStarted) trace.disable();
    },
    createExitHandling: (work) => new ExitHandling(work, { ...exit, listens: exit.listens && isStarted }, clock, warn),
  });
}

/** Characters of what a backend says in a log line. */
const LONGEST_QUOTE = 256;
/** Started spans that are followed at most. */
const MAX_OPEN_SPANS = 10_000;
const DEFAULT_EXIT_TIMEOUT_MS = 5_000;
const EXIT_SIGNALS: ReadonlySet<string> = new Set(["SIGINT", "SIGTERM", "SIGHUP"]);

function saysAlreadyRegistered(warn: Warn): boolean {
  if (!isRegistered()) return false;
  warn(
    "TELEMETRY_ALREADY_REGISTERED",
    "another OpenTelemetry SDK is registered in this process; spans go to that one, and nothing was added",
  );
  return true;
}

function createSampler(options: TelemetryOptions, sinks: readonly Sink[]): TurnSampler | undefined {
  const { turnSampler = false } = options;
  if (turnSampler === false) return undefined;
  const behind = sinks.filter((sink) => isSampled(sink, options));
  return createTurnSampler(
    {
      next: behind.map((sink) => sink.queue),
      onBufferFull: (spans) => {
        for (const { queue } of behind) queue.drops.add("buffer_full", spans, "too much waits in the turn sampler");
      },
    },
    turnSampler === true ? {} : turnSampler,
  );
}

function isSampled(sink: Sink, { localSpans = "everything" }: TelemetryOptions): boolean {
  return sink.name === "export" || localSpans === "sampled";
}

function inFrontOf(
  sinks: readonly Sink[],
  sampler: TurnSampler | undefined,
  options: TelemetryOptions,
): readonly SpanProcessor[] {
  if (sampler === undefined) return sinks.map((sink) => sink.queue);
  return [sampler, ...sinks.filter((sink) => !isSampled(sink, options)).map((sink) => sink.queue)];
}

/** Where nobody names the service: the SDK's own word for it has the path of the machine's Node in it. */
const UNNAMED = resourceFromAttributes({ "service.name": "unknown_service:node" });

/** The SDK cuts nothing itself: it would cut before the secrets are out, and without a marker. */
function startSdk(options: TelemetryOptions, environment: Environment, spanProcessors: SpanProcessor[]): void {
  withEnvironment(environment, () => {
    new NodeSDK({
      ...(options.serviceName === undefined ? {} : { serviceName: options.serviceName }),
      resource: defaultResource().merge(UNNAMED),
      resourceDetectors: [envDetector, serviceInstanceIdDetector],
      spanProcessors,
      spanLimits: { attributeValueLengthLimit: Infinity },
      metricReaders: [],
      logRecordProcessors: [],
      instrumentations: [],
    }).start();
  });
}

function likeliestCause(settings: Settings): string {
  if (settings.disabled) return "OTEL_SDK_DISABLED is true, so no span is recorded";
  if (settings.sampledOut) return "OTEL_TRACES_SAMPLER leaves every span out";
  return "no span is recorded, though the SDK was started: most likely another version of @opentelemetry/api registered first, or the SDK's generation does not fit the API's (SDK 3 needs API 1.10; API 1.10 over SDK 2 records nothing)";
}

function whyNowhere({ exportSpans = true }: TelemetryOptions): string {
  const why = exportSpans ? "OTEL_TRACES_EXPORTER is none" : "exportSpans is false";
  return `spans are recorded and go nowhere: ${why}, and neither localSink nor spanProcessors is given`;
}

function readExit(options: boolean | ExitHandlingOptions): ExitSettings {
  const { signals = ["SIGINT", "SIGTERM"], timeoutMs } = typeof options === "boolean" ? {} : options;
  const unknown = signals.find((signal) => !EXIT_SIGNALS.has(signal));
  if (unknown !== undefined) {
    const known = [...EXIT_SIGNALS].join(", ");
    throw new TelemetryError("TELEMETRY_OPTION_INVALID", `exitHandling.signals knows ${known}, not "${unknown}"`);
  }
  return {
    listens: options !== false,
    signals,
    timeoutMs: checkedTimeout(timeoutMs, "exitHandling.timeoutMs", DEFAULT_EXIT_TIMEOUT_MS),
  };
}
