import {
  DECISIONS,
  EXECUTIONS,
  type HookBus,
  type HookInvocation,
  type HookListing,
  type HookPoint,
} from "@hookscope/hooks";

import type { HistogramCell } from "../cells/cell.ts";
import { FAILURES, isFailure, type IgnoredReason } from "../definitions.ts";
import type { Families } from "../families.ts";
import type { Exemplars } from "./exemplars.ts";

/** Records the invocations of buses as they happen, and reads their registrations at each scrape. */
export class BusObserver {
  readonly #families: Families;
  readonly #exemplars: Exemplars;
  readonly #buses = new Map<HookBus, () => void>();
  /** By point and hook; then a cell for each execution and decision. */
  readonly #durations = new Map<string, Map<string, (HistogramCell | undefined)[]>>();
  #resets = 0;
  /** What each registration had said at the last scrape. */
  readonly #late = new Totals();
  readonly #ignored = new Totals();

  constructor(families: Families, exemplars: Exemplars) {
    this.#families = families;
    this.#exemplars = exemplars;
    families.agent_hooks_in_flight.onCollect(() => this.#collectInFlight());
    families.agent_hooks_suspended.onCollect(() => this.#collectSuspended());
    families.agent_hook_late_results_total.onCollect(() => this.#collectLate());
    families.agent_hook_results_ignored_total.onCollect(() => this.#collectIgnored());
    families.agent_hook_failures_total.onCollect(() => this.#touchFailures());
    families.agent_stream_deltas_dropped_total.onCollect(() => this.#touchDropped());
  }

  /** Observing a bus again does nothing more. Gives back its own end. */
  observe(bus: HookBus): () => void {
    const known = this.#buses.get(bus);
    if (known !== undefined) return known;
    const unsubscribe = bus.subscribe((invocation) => this.#record(invocation));
    const end = (): void => {
      unsubscribe();
      this.#buses.delete(bus);
    };
    this.#buses.set(bus, end);
    return end;
  }

  end(): void {
    for (const end of this.#buses.values()) end();
  }

  /** Every registration of every observed bus. */
  *listings(): Generator<readonly [bus: HookBus, listing: HookListing]> {
    for (const bus of this.#buses.keys()) for (const listing of bus.list()) yield [bus, listing];
  }

  #record(invocation: HookInvocation): void {
    const { point, hook, execution, decision, stream } = invocation;
    const seconds = invocation.durationMs / 1000;
    const { agent_hook_duration_seconds: duration } = this.#families;
    const failed = isFailure(execution);
    const isNotable = failed || decision === "block" || duration.isSlow(seconds);
    const trace = isNotable ? this.#exemplars.ofInvocation(invocation) : undefined;
    duration.observeCell(this.#durationCell(invocation), seconds, trace);
    if (failed) this.#families.agent_hook_failures_total.add({ point, hook, execution }, 1, trace);
    if (invocation.notAppliedReason === "not_accepted" && point !== STREAMED) {
      const reason: IgnoredReason = decision === "none" ? "invalid_result" : "not_accepted";
      this.#families.agent_hook_results_ignored_total.add({ point, hook, reason });
    }
    if (stream !== undefined && stream.dropped > 0) {
      this.#families.agent_stream_deltas_dropped_total.add({ hook }, stream.dropped);
    }
  }

  #durationCell({ point, hook, execution, decision }: HookInvocation): HistogramCell {
    const index = EXECUTIONS.indexOf(execution) * DECISIONS.length + DECISIONS.indexOf(decision);
    const family = this.#families.agent_hook_duration_seconds;
    if (family.resets !== this.#resets) this.#durations.clear();
    this.#resets = family.resets;
    const known = this.#durations.get(point)?.get(hook)?.[index];
    if (known !== undefined) return known;
    const cell = family.cell({ point, hook, execution, decision });
    // A shared cell is found anew each time, because that is what counts the overflow.
    if (!cell.shared) this.#remember(point, hook, index, cell);
    return cell;
  }

  #remember(point: string, hook: string, index: number, cell: HistogramCell): void {
    let hooks = this.#durations.get(point);
    if (hooks === undefined) this.#durations.set(point, (hooks = new Map()));
    let cells = hooks.get(hook);
    if (cells === undefined) hooks.set(hook, (cells = Array.from({ length: EXECUTIONS.length * DECISIONS.length })));
    cells[index] = cell;
  }

  #collectInFlight(): void {
    const gauge = this.#families.agent_hooks_in_flight;
    gauge.reset();
    for (const [, { point, hook, inFlight }] of this.listings()) gauge.add({ point, hook }, inFlight);
  }

  #collectSuspended(): void {
    const gauge = this.#families.agent_hooks_suspended;
    gauge.reset();
    for (const [, { point, hook, suspendedUntil }] of this.listings()) {
      gauge.add({ point, hook }, suspendedUntil === undefined ? 0 : 1);
    }
  }

  #collectLate(): void {
    this.#late.begin();
    for (const [bus, listing] of this.listings()) {
      const { point, hook } = listing;
      const counter = this.#families.agent_hook_late_results_total;
      counter.touch({ point, hook });
      const more = this.#late.more(bus, listing, listing.lateResults);
      if (more > 0) counter.add({ point, hook }, more);
    }
  }

  #collectIgnored(): void {
    const counter = this.#families.agent_hook_results_ignored_total;
    this.#ignored.begin();
    for (const [bus, listing] of this.listings()) {
      const { point, hook } = listing;
      for (const reason of counter.row.labels.reason.values ?? []) counter.touch({ point, hook, reason });
      const more = point === STREAMED ? this.#ignored.more(bus, listing, listing.resultsIgnored) : 0;
      if (more > 0) counter.add({ point, hook, reason: "not_accepted" }, more);
    }
  }

  #touchFailures(): void {
    for (const [, { point, hook }] of this.listings()) {
      for (const execution of FAILURES) this.#families.agent_hook_failures_total.touch({ point, hook, execution });
    }
  }

  #touchDropped(): void {
    for (const [, { point, hook }] of this.listings()) {
      if (point === STREAMED) this.#families.agent_stream_deltas_dropped_total.touch({ hook });
    }
  }
}

/** Its hooks have one invocation for all deltas of a stream; what each of them gave is only in the registration. */
const STREAMED: HookPoint = "on_stream_delta";

/**
 * Turns what registrations have counted so far into what is new since the last reading. One that is gone is forgotten, so
 * that a hook registered again, which starts at 0, is counted from there.
 */
class Totals {
  #before = new Map<HookBus, Map<string, number>>();
  #now = new Map<HookBus, Map<string, number>>();

  begin(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  more(bus: HookBus, { point, hook }: HookListing, total: number): number {
    const key = `${point} ${hook}`;
    let ofBus = this.#now.get(bus);
    if (ofBus === undefined) this.#now.set(bus, (ofBus = new Map()));
    ofBus.set(key, total);
    const before = this.#before.get(bus)?.get(key) ?? 0;
    return total < before ? total : total - before;
  }
}
