import type { Clock } from "@hookscope/hooks";
import type { SpanProcessor } from "@opentelemetry/sdk-trace";

import { withinTime } from "./bounded.ts";
import type { SpanDestination } from "./destinations.ts";
import { DROP_REASONS, type DropListener, type DropReason, type SinkName } from "./drops.ts";
import type { ExitHandling, ExitWork } from "./exit-handling.ts";
import type { GuardedProcessor } from "./guarded-processor.ts";
import type { OpenSpans } from "./open-spans.ts";
import type { FlushOptions, FlushResult, Telemetry } from "./options.ts";
import type { TurnSampler, TurnSamplerCounts } from "./sampler/index.ts";
import type { SpanQueue } from "./span-queue.ts";

export interface Sink {
  readonly name: SinkName;
  readonly queue: SpanQueue;
}

interface Parts {
  readonly recording: boolean;
  readonly destinations: readonly SpanDestination[];
  readonly recordContent: boolean;
  readonly sinks: readonly Sink[];
  /** In front of queues, where turns are sampled. */
  readonly sampler: TurnSampler | undefined;
  /** What is to be flushed: the sinks' queues, or the sampler in front of them, and the processors given as an option. */
  readonly processors: readonly SpanProcessor[];
  /** Those among them that were given as an option. */
  readonly guarded: readonly GuardedProcessor[];
  readonly openSpans: OpenSpans;
  readonly listeners: Set<DropListener>;
  readonly clock: Clock;
  readonly unregister: () => void;
  readonly createExitHandling: (work: ExitWork) => ExitHandling;
}

/** What startTelemetry returns. */
export class RunningTelemetry implements Telemetry {
  readonly recording: boolean;
  readonly destinations: readonly SpanDestination[];
  readonly recordContent: boolean;
  readonly #parts: Parts;
  readonly #exit: ExitHandling;
  #shutdown: Promise<FlushResult> | undefined;

  constructor(parts: Parts) {
    this.recording = parts.recording;
    this.destinations = parts.destinations;
    this.recordContent = parts.recordContent;
    this.#parts = parts;
    const { openSpans } = parts;
    this.#exit = parts.createExitHandling({
      isPending: () =>
        openSpans.size > 0 ||
        (parts.sampler?.counts().held.spans ?? 0) > 0 ||
        parts.guarded.some((processor) => processor.isPending) ||
        parts.sinks.some((sink) => sink.queue.size > 0),
      endOpenSpans: (endedBy, message) => openSpans.endAll(endedBy, message),
      flush: async (timeoutMs) => ((await this.flush({ timeoutMs })).reason === "timeout" ? "timeout" : "done"),
      shutdown: (timeoutMs) => withinTime(parts.clock, timeoutMs, this.shutdown({ timeoutMs })),
      leave: () => this.#leave(),
    });
  }

  flush(options: FlushOptions = {}): Promise<FlushResult> {
    return this.#bounded(options, (processor) => processor.forceFlush());
  }

  shutdown(options: FlushOptions = {}): Promise<FlushResult> {
    this.#shutdown ??= this.#shutDownOnce(options);
    return this.#shutdown;
  }

  dropped(sink: SinkName = "export"): Readonly<Record<DropReason, number>> {
    const counts = this.#queues(sink).map((queue) => queue.drops.counts());
    const totals = DROP_REASONS.map((reason) => [reason, sum(counts.map((count) => count[reason]))] as const);
    return Object.fromEntries(totals) as Record<DropReason, number>;
  }

  exported(sink: SinkName = "export"): number {
    return sum(this.#queues(sink).map((queue) => queue.exported));
  }

  sampled(): TurnSamplerCounts | undefined {
    return this.#parts.sampler?.counts();
  }

  keepsTrace(traceId: string): boolean {
    return this.#parts.sampler?.keepsTrace(traceId) ?? true;
  }

  queueSize(sink: SinkName = "export"): number {
    return sum(this.#queues(sink).map((queue) => queue.size));
  }

  onDrop(listener: DropListener): () => void {
    this.#parts.listeners.add(listener);
    return () => {
      this.#parts.listeners.delete(listener);
    };
  }

  onExit(callback: () => void | Promise<void>): () => void {
    return this.#exit.add(callback);
  }

  exit(code?: number): Promise<never> {
    return this.#exit.exit(code);
  }

  async #shutDownOnce(options: FlushOptions): Promise<FlushResult> {
    const { sinks, sampler } = this.#parts;
    sampler?.keepOpen();
    for (const { queue } of sinks) queue.close();
    const result = await this.#bounded(options, (processor) => processor.shutdown());
    for (const { queue } of sinks) queue.abandon();
    this.#exit.uninstall();
    this.#parts.unregister();
    return result;
  }

  async #bounded(
    { timeoutMs = DEFAULT_TIMEOUT_MS }: FlushOptions,
    work: (processor: SpanProcessor) => Promise<void>,
  ): Promise<FlushResult> {
    const lostBefore = this.#lost();
    const calls = this.#parts.processors.map(async (processor) => work(processor));
    const outcome = await withinTime(this.#parts.clock, timeoutMs, Promise.allSettled(calls));
    if (outcome === "timeout") return { flushed: false, reason: "timeout" };
    return this.#lost() > lostBefore ? { flushed: false, reason: "dropped" } : { flushed: true };
  }

  /** The process is gone when this returns: a sink that answers at once gets what is left, the rest is counted. */
  #leave(): void {
    this.#parts.sampler?.keepOpen();
    for (const { name, queue } of this.#parts.sinks) {
      if (name === "local") queue.drainNow();
      queue.abandon();
    }
  }

  #queues(sink: SinkName): readonly SpanQueue[] {
    return this.#parts.sinks.filter((candidate) => candidate.name === sink).map((candidate) => candidate.queue);
  }

  /** Spans that were taken and did not arrive. */
  #lost(): number {
    const counts = (["export", "local"] as const).map((sink) => this.dropped(sink));
    return sum(counts.map((count) => count.export_failed + count.rejected + count.serialisation_failed));
  }
}

const DEFAULT_TIMEOUT_MS = 5_000;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
