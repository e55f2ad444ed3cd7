import type { SpanAttributes, SpanType } from "@hookscope/hooks";
import { spanTypeOf } from "@hookscope/hooks/internal";
import { SpanKind, trace, TraceFlags, type Context } from "@opentelemetry/api";
import { hrTimeToMilliseconds } from "@opentelemetry/core";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace";

import { readSamplerSettings, type TurnSamplerOptions, type TurnSamplerSettings } from "./options.ts";
import { KEEP_REASONS, reasonIn, type KeepReason } from "./reasons.ts";
import { isInShare } from "./share.ts";
import { TurnBuffer } from "./turn-buffer.ts";
import { TurnGroup } from "./turn-group.ts";

/** What was decided so far. Messages and ends of sessions that had no turn count as one. */
export interface TurnSamplerCounts {
  /** Turns that have ended, by why they were kept. */
  readonly kept: Readonly<Record<KeepReason, number>>;
  /** Turns, and spans, that were left out because nothing in them had to be kept: no loss. */
  readonly sampledOut: { readonly turns: number; readonly spans: number };
  /** Spans thrown away because the buffer was full: a loss. */
  readonly bufferFull: { readonly spans: number };
  /** What waits for a decision. */
  readonly held: { readonly turns: number; readonly spans: number; readonly bytes: number };
}

/** A span processor in front of others, which get the spans of the turns that are kept. */
export interface TurnSampler extends SpanProcessor {
  counts(): TurnSamplerCounts;
  /** Whether a turn of this trace is kept for certain, as far as is known now. */
  keepsTrace(traceId: string): boolean;
  /** Keeps every turn that is undecided: what was not seen to end may be what is looked for. */
  keepOpen(): void;
}

export interface TurnSamplerParts {
  /** Where kept spans go, and spans outside any turn. */
  readonly next: readonly SpanProcessor[];
  /** Told of spans that were thrown away because the buffer was full. */
  readonly onBufferFull?: (spans: number) => void;
}

/**
 * Decides, turn by turn, what the processors behind it get: turns with a block, a failure or a timeout, slow ones, costly
 * ones, and a share of the rest, each whole. The decision falls at the latest when the turn has ended; what settles it
 * earlier lets the turn's spans through from then on.
 *
 * @throws {TelemetryError} TELEMETRY_OPTION_INVALID
 */
export function createTurnSampler(parts: TurnSamplerParts, options: TurnSamplerOptions = {}): TurnSampler {
  return new BufferingTurnSampler(parts, readSamplerSettings(options));
}

class BufferingTurnSampler implements TurnSampler {
  readonly #next: readonly SpanProcessor[];
  readonly #onBufferFull: (spans: number) => void;
  readonly #settings: TurnSamplerSettings;
  readonly #buffer: TurnBuffer;
  /** By the span itself: what nobody can use as a parent any more takes no memory here. */
  readonly #groups = new WeakMap<object, TurnGroup>();
  readonly #kept = new Map<KeepReason, number>();
  readonly #keptTraces = new Set<string>();
  #turnsSampledOut = 0;
  #spansSampledOut = 0;
  #spansLost = 0;

  constructor({ next, onBufferFull }: TurnSamplerParts, settings: TurnSamplerSettings) {
    this.#next = next;
    this.#onBufferFull = onBufferFull ?? ((): void => {});
    this.#settings = settings;
    this.#buffer = new TurnBuffer(settings);
  }

  onStart(span: Span, parentContext: Context): void {
    for (const processor of this.#next) processor.onStart(span, parentContext);
    const parent = trace.getSpan(parentContext);
    const type = rootTypeOf(span);
    const group = (parent === undefined ? undefined : this.#groups.get(parent)) ?? this.#open(span, type);
    if (group === undefined) return;
    this.#groups.set(span, group);
    if (type === "turn") group.turn ??= span;
  }

  /** The last moment at which a span can be written on. */
  onEnding(span: Span): void {
    const group = this.#groups.get(span);
    if (group?.turn === span) {
      const reason = firstReason(group, this.#reasonToKeep(group, span));
      const attributes: SpanAttributes = {
        ...(reason === undefined ? {} : { "agent_turn.kept_because": reason }),
        ...(group.lost === 0 ? {} : { "agent_turn.spans_lost": group.lost }),
      };
      span.setAttributes(attributes);
    }
    for (const processor of this.#next) processor.onEnding?.(span);
  }

  onEnd(span: ReadableSpan): void {
    const group = this.#groups.get(span);
    if (group === undefined) return this.#pass(span);
    const reason = this.#reasonToKeep(group, span);
    if (reason !== undefined) this.#keep(group, reason);
    if (span === group.root) this.#conclude(group);
    if (group.decision === "kept") this.#pass(span);
    else if (group.decision === "sampled_out") this.#spansSampledOut += 1;
    else this.#hold(group, span);
  }

  counts(): TurnSamplerCounts {
    const kept = KEEP_REASONS.map((reason) => [reason, this.#kept.get(reason) ?? 0] as const);
    return {
      kept: Object.fromEntries(kept) as Record<KeepReason, number>,
      sampledOut: { turns: this.#turnsSampledOut, spans: this.#spansSampledOut },
      bufferFull: { spans: this.#spansLost },
      held: this.#buffer.sizes,
    };
  }

  keepsTrace(traceId: string): boolean {
    return this.#keptTraces.has(traceId);
  }

  keepOpen(): void {
    for (const group of this.#buffer.groups) this.#keep(group, "unfinished");
  }

  async forceFlush(): Promise<void> {
    this.keepOpen();
    await Promise.all(this.#next.map((processor) => processor.forceFlush()));
  }

  async shutdown(): Promise<void> {
    this.keepOpen();
    await Promise.all(this.#next.map((processor) => processor.shutdown()));
  }

  #open(span: Span, type: RootType | undefined): TurnGroup | undefined {
    const { traceId, traceFlags } = span.spanContext();
    if (type === undefined || (traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
    const group = new TurnGroup(span);
    const drawnFrom = (type === "session_end" ? span.links[0]?.context.traceId : undefined) ?? traceId;
    if (drawnFrom !== traceId && this.#keptTraces.has(drawnFrom)) this.#keep(group, "followed");
    else if (isInShare(drawnFrom, this.#settings.share)) this.#keep(group, "share");
    else if (!this.#buffer.admit(group)) {
      this.#keepSlow(group.startTime);
      this.#buffer.admit(group);
    }
    return group;
  }

  /** What `span`, which has its end, says about its turn. A turn that is over by its own span is not slow by a later one. */
  #reasonToKeep(group: TurnGroup, span: ReadableSpan): KeepReason | undefined {
    const reason = reasonIn(span, this.#settings.costlyTurnUsd);
    if (reason !== undefined) return reason;
    return this.#isSlow(group, hrTimeToMilliseconds(span.endTime)) ? "slow" : undefined;
  }

  #isSlow(group: TurnGroup, now: number): boolean {
    return now - group.startTime >= this.#settings.slowTurnMs;
  }

  /** What was decided stays: a late span follows. A reason of the turn's own takes the place of the share. */
  #keep(group: TurnGroup, reason: KeepReason): void {
    if (group.decision === "sampled_out") return;
    group.reason = firstReason(group, reason);
    if (group.decision === "kept") return;
    group.decision = "kept";
    this.#rememberTrace(group.root.spanContext().traceId);
    for (const span of this.#buffer.remove(group)) this.#pass(span);
  }

  #conclude(group: TurnGroup): void {
    if (group.decision === "open") {
      group.decision = "sampled_out";
      this.#turnsSampledOut += 1;
      this.#spansSampledOut += this.#buffer.remove(group).length;
    } else if (group.reason !== undefined) {
      this.#kept.set(group.reason, (this.#kept.get(group.reason) ?? 0) + 1);
    }
  }

  #hold(group: TurnGroup, span: ReadableSpan): void {
    if (!this.#buffer.admit(group)) return this.#lose(group, 1);
    this.#buffer.hold(group, span);
    if (!this.#buffer.isOverfull) return;
    this.#keepSlow(hrTimeToMilliseconds(span.endTime));
    while (this.#buffer.isOverfull) {
      const largest = this.#buffer.largest();
      if (largest === undefined) return;
      this.#lose(largest, this.#buffer.empty(largest).length);
    }
  }

  /** Room that costs nothing: turns that have been open for so long that they will be kept anyway. */
  #keepSlow(now: number): void {
    for (const group of this.#buffer.groups) if (this.#isSlow(group, now)) this.#keep(group, "slow");
  }

  #lose(group: TurnGroup, spans: number): void {
    group.lost += spans;
    this.#spansLost += spans;
    this.#onBufferFull(spans);
  }

  #rememberTrace(traceId: string): void {
    this.#keptTraces.add(traceId);
    if (this.#keptTraces.size <= MAX_KEPT_TRACES) return;
    const [oldest] = this.#keptTraces;
    if (oldest !== undefined) this.#keptTraces.delete(oldest);
  }

  #pass(span: ReadableSpan): void {
    for (const processor of this.#next) processor.onEnd(span);
  }
}

/** Traces of kept turns that are remembered: for a session's end that follows, and for whoever asks. */
const MAX_KEPT_TRACES = 10_000;

/** Reasons that do not lie in the turn itself, and give way to one that does. */
const OUTER: ReadonlySet<KeepReason> = new Set<KeepReason>(["share", "followed", "unfinished"]);

function firstReason({ reason }: TurnGroup, found: KeepReason | undefined): KeepReason | undefined {
  return reason === undefined || OUTER.has(reason) ? (found ?? reason) : reason;
}

type RootType = Extract<SpanType, "message" | "turn" | "session_end">;

/** What may be the root of a decision. Another library's span of the same name has no turn of ours. */
function rootTypeOf(span: ReadableSpan): RootType | undefined {
  const type = spanTypeOf(span);
  if (type === "message") return span.kind === SpanKind.CONSUMER ? type : undefined;
  if (type !== "turn" && type !== "session_end") return undefined;
  return typeof span.attributes["agent_turn.id"] === "string" ? type : undefined;
}
