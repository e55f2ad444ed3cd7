import type { Warn } from "./warnings.ts";

/**
 * Why a span was lost. `buffer_full`: the turn sampler had no room for it. `export_failed`: after the exporter's own retries. `serialisation_failed`: that span alone.
 * `shutdown_timeout`: not sent within the bound. `after_shutdown`: it ended when telemetry had been shut down.
 */
export type DropReason =
  | "queue_full"
  | "buffer_full"
  | "export_failed"
  | "serialisation_failed"
  | "shutdown_timeout"
  | "after_shutdown";

export const DROP_REASONS: readonly DropReason[] = [
  "queue_full",
  "buffer_full",
  "export_failed",
  "serialisation_failed",
  "shutdown_timeout",
  "after_shutdown",
];

/** Where spans go: `export` is OTLP, `local` the local sink. */
export type SinkName = "export" | "local";

export interface SpanDrop {
  readonly sink: SinkName;
  readonly reason: DropReason;
  /** Lost now. */
  readonly count: number;
  /** Lost for this reason so far. */
  readonly total: number;
}

export type DropListener = (drop: SpanDrop) => void;

/** Counts every lost span of one sink, and says so once per cause and outage. */
export class DropCounter {
  readonly #sink: SinkName;
  readonly #destination: string;
  readonly #warn: Warn;
  readonly #listeners: ReadonlySet<DropListener>;
  readonly #totals = new Map<DropReason, number>();
  readonly #said = new Map<DropReason, number>();

  /** @param destination what the messages call the sink */
  constructor(sink: SinkName, destination: string, warn: Warn, listeners: ReadonlySet<DropListener>) {
    this.#sink = sink;
    this.#destination = destination;
    this.#warn = warn;
    this.#listeners = listeners;
  }

  add(reason: DropReason, count: number, detail?: string): void {
    if (count === 0) return;
    const total = (this.#totals.get(reason) ?? 0) + count;
    this.#totals.set(reason, total);
    for (const listener of this.#listeners) {
      try {
        listener({ sink: this.#sink, reason, count, total });
      } catch {
        // A listener that throws must not stop the count.
      }
    }
    if (this.#said.has(reason)) return;
    this.#said.set(reason, total);
    const because = detail === undefined ? "" : `: ${detail}`;
    this.#warn(
      "TELEMETRY_SPANS_DROPPED",
      `${spans(total)} lost on the way to ${this.#destination} so far (${reason}${because}); more of the same is counted, not logged`,
      { reason, total, sink: this.#sink },
    );
  }

  /** A batch arrived: says so after an outage, and lets the next outage be logged again. */
  arrived(): void {
    if (!this.#said.delete("export_failed")) return;
    this.#said.delete("queue_full");
    this.#warn("TELEMETRY_EXPORT_RESUMED", `spans reach ${this.#destination} again; lost so far: ${this.#summary()}`, {
      sink: this.#sink,
    });
  }

  /** The last word: what was lost since it was last said. */
  conclude(): void {
    const unsaid = [...this.#totals].some(
      ([reason, total]) => total !== this.#said.get(reason) && this.#said.has(reason),
    );
    if (!unsaid) return;
    this.#warn("TELEMETRY_SPANS_DROPPED", `lost on the way to ${this.#destination} in all: ${this.#summary()}`, {
      sink: this.#sink,
    });
    for (const [reason, total] of this.#totals) this.#said.set(reason, total);
  }

  /** Every reason, 0 where nothing was lost for it. */
  counts(): Readonly<Record<DropReason, number>> {
    const counts = DROP_REASONS.map((reason) => [reason, this.#totals.get(reason) ?? 0] as const);
    return Object.fromEntries(counts) as Record<DropReason, number>;
  }

  #summary(): string {
    return [...this.#totals].map(([reason, total]) => `${total.toLocaleString("en")} ${reason}`).join(", ");
  }
}

function spans(count: number): string {
  return count === 1 ? "1 span" : `${count.toLocaleString("en")} spans`;
}
