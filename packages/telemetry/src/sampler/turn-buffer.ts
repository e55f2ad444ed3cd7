import type { ReadableSpan } from "@opentelemetry/sdk-trace";

import { weigh } from "../weigh.ts";
import type { TurnSamplerSettings } from "./options.ts";
import type { TurnGroup } from "./turn-group.ts";

type Limits = Pick<TurnSamplerSettings, "maxTurns" | "maxSpans" | "maxBytes">;

/** The finished spans of undecided turns, in bounds. */
export class TurnBuffer {
  readonly #limits: Limits;
  readonly #groups = new Set<TurnGroup>();
  #spans = 0;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get groups(): readonly TurnGroup[] {
    return [...this.#groups];
  }

  get sizes(): { readonly turns: number; readonly spans: number; readonly bytes: number } {
    return { turns: this.#groups.size, spans: this.#spans, bytes: this.#bytes };
  }

  /** Whether the turn has a place, or gets one. */
  admit(group: TurnGroup): boolean {
    if (this.#groups.has(group)) return true;
    if (this.#groups.size >= this.#limits.maxTurns) return false;
    this.#groups.add(group);
    return true;
  }

  /** For a turn that was admitted. */
  hold(group: TurnGroup, span: ReadableSpan): void {
    const bytes = sizeOf(span);
    group.held.push(span);
    group.bytes += bytes;
    this.#spans += 1;
    this.#bytes += bytes;
  }

  get isOverfull(): boolean {
    return this.#spans > this.#limits.maxSpans || this.#bytes > this.#limits.maxBytes;
  }

  /** The turn that holds most of what there is too much of; of equal ones the one that came last. */
  largest(): TurnGroup | undefined {
    const measure = this.#spans > this.#limits.maxSpans ? countOf : bytesOf;
    let largest: TurnGroup | undefined;
    for (const group of this.#groups) {
      if (largest === undefined || measure(group) >= measure(largest)) largest = group;
    }
    return largest;
  }

  /** Takes out what a turn holds; it keeps its place. */
  empty(group: TurnGroup): readonly ReadableSpan[] {
    const { held } = group;
    this.#spans -= held.length;
    this.#bytes -= group.bytes;
    group.held = [];
    group.bytes = 0;
    return held;
  }

  /** Takes out what a turn holds, and its place. */
  remove(group: TurnGroup): readonly ReadableSpan[] {
    this.#groups.delete(group);
    return this.empty(group);
  }
}

/** What a span takes beside its strings, in bytes. On the safe side: a hook's span with 344 characters took 1,190 in all. */
const SPAN_BYTES = 1_024;

/** Two bytes a character: what a string takes where not all of it is Latin-1. */
function sizeOf(span: ReadableSpan): number {
  return SPAN_BYTES + 2 * weigh(span);
}

function countOf(group: TurnGroup): number {
  return group.held.length;
}

function bytesOf(group: TurnGroup): number {
  return group.bytes;
}
