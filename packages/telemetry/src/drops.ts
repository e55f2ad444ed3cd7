import type { Clock, Timer } from "@hookscope/hooks";

import type { Warn } from "./warnings.ts";

/** Why spans are lost. What `passes` lies in how much there is and in who takes it; the rest in the span or in the end. */
const DROPS = {
  queue_full: { passes: true },
  buffer_full: { passes: true },
  export_failed: { passes: true },
  rejected: { passes: true },
  serialisation_failed: { passes: false },
  shutdown_timeout: { passes: false },
  after_shutdown: { passes: false },
} as const;

/**
 * Why a span was lost. `buffer_full`: the turn sampler had no room for it. `export_failed`: after the exporter's own
 * retries. `rejected`: the backend took the request and not this span. `serialisation_failed`: that span alone.
 * `shutdown_timeout`: not sent within the bound. `after_shutdown`: it ended when telemetry had been shut down.
 */
export type DropReason = keyof typeof DROPS;

export const DROP_REASONS: readonly DropReason[] = Object.keys(DROPS) as DropReason[];

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

type Totals = ReadonlyMap<DropReason, number>;

/** From a first loss to the moment when none has followed for a while. */
interface Outage {
  readonly lostBefore: Totals;
  readonly said: Set<DropReason>;
  /** Runs since spans arrive again. */
  quiet: Timer | undefined;
}

/** Counts every lost span of one sink, and says so once per cause and outage. */
export class DropCounter {
  readonly #sink: SinkName;
  readonly #destination: string;
  readonly #warn: Warn;
  readonly #listeners: ReadonlySet<DropListener>;
  readonly #clock: Clock;
  readonly #totals = new Map<DropReason, number>();
  /** The totals as they were last said. */
  readonly #told = new Map<DropReason, number>();
  /** Reasons that lie in the span or in the end of the process. */
  readonly #saidForGood = new Set<DropReason>();
  #outage: Outage | undefined;

  /** @param destination what the messages call the sink */
  constructor(
    sink: SinkName,
    destination: string,
    {
      warn,
      listeners,
      clock,
    }: { readonly warn: Warn; readonly listeners: ReadonlySet<DropListener>; readonly clock: Clock },
  ) {
    this.#sink = sink;
    this.#destination = destination;
    this.#warn = warn;
    this.#listeners = listeners;
    this.#clock = clock;
  }

  add(reason: DropReason, count: number, detail?: string): void {
    if (count === 0) return;
    const said = DROPS[reason].passes ? this.#goOn().said : this.#saidForGood;
    const total = (this.#totals.get(reason) ?? 0) + count;
    this.#totals.set(reason, total);
    for (const listener of this.#listeners) {
      try {
        listener({ sink: this.#sink, reason, count, total });
      } catch {
        // A listener that throws must not stop the count.
      }
    }
    if (said.has(reason)) return;
    said.add(reason);
    this.#told.set(reason, total);
    const because = detail === undefined ? "" : `: ${detail}`;
    this.#warn(
      "TELEMETRY_SPANS_DROPPED",
      `${spans(total)} lost on the way to ${this.#destination} so far (${reason}${because}); more of the same is counted, not logged`,
      { reason, total, sink: this.#sink },
    );
  }

  /** A batch arrived. A backend that takes one batch and loses the next would be logged without end: it is not over yet. */
  arrived(): void {
    const outage = this.#outage;
    if (outage === undefined || outage.quiet !== undefined) return;
    outage.quiet = this.#clock.setTimer(() => this.#isOver(outage), QUIET_MS);
    outage.quiet.unref?.();
  }

  /** The last word: what was lost since it was last said. */
  conclude(): void {
    this.#outage?.quiet?.cancel();
    this.#outage = undefined;
    if ([...this.#totals].every(([reason, total]) => total === this.#told.get(reason))) return;
    this.#warn("TELEMETRY_SPANS_DROPPED", `lost on the way to ${this.#destination} in all: ${listOf(this.#totals)}`, {
      sink: this.#sink,
    });
    this.#tellAll();
  }

  /** Every reason, 0 where nothing was lost for it. */
  counts(): Readonly<Record<DropReason, number>> {
    const counts = DROP_REASONS.map((reason) => [reason, this.#totals.get(reason) ?? 0] as const);
    return Object.fromEntries(counts) as Record<DropReason, number>;
  }

  #goOn(): Outage {
    this.#outage ??= { lostBefore: new Map(this.#totals), said: new Set(), quiet: undefined };
    this.#outage.quiet?.cancel();
    this.#outage.quiet = undefined;
    return this.#outage;
  }

  #isOver({ lostBefore }: Outage): void {
    this.#outage = undefined;
    const lost = [...this.#totals]
      .map(([reason, total]) => [reason, total - (lostBefore.get(reason) ?? 0)] as const)
      .filter(([reason, count]) => DROPS[reason].passes && count > 0);
    this.#warn(
      "TELEMETRY_EXPORT_RESUMED",
      `spans reach ${this.#destination} again, and none was lost for ${QUIET_MS / 1000} s; lost meanwhile: ${listOf(new Map(lost))}; in all: ${listOf(this.#totals)}`,
      { sink: this.#sink },
    );
    this.#tellAll();
  }

  #tellAll(): void {
    for (const [reason, total] of this.#totals) this.#told.set(reason, total);
  }
}

/** So long without a loss, and what follows is another outage. */
const QUIET_MS = 60_000;

function listOf(totals: Totals): string {
  return [...totals].map(([reason, total]) => `${total.toLocaleString("en")} ${reason}`).join(", ");
}

function spans(count: number): string {
  return count === 1 ? "1 span" : `${count.toLocaleString("en")} spans`;
}
