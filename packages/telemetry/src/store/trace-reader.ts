import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

import type { AttributeKey } from "@hookscope/hooks";

import type { InvocationDocument, SpanDocument, TraceDocument, TurnDocument, TurnSummary } from "./documents.ts";
import { toInvocationDocument } from "./invocation-document.ts";

/** Reads back what the writer wrote; the documents are its own, so their shape is known. */
export class TraceReader {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  lastTurn(): TurnDocument | undefined {
    const [turn] = this.turns(1, undefined, undefined);
    return turn === undefined ? undefined : this.#document(turn);
  }

  turn(turnId: string): TurnDocument | undefined {
    const [turn] = this.#turns("WHERE turn_id = ?", turnId);
    return turn === undefined ? undefined : this.#document(turn);
  }

  trace(traceId: string): TraceDocument | undefined {
    const spans = this.#spans(traceId);
    if (spans.length === 0) return undefined;
    const turns = this.#turns("WHERE trace_id = ? ORDER BY start_time, rowid", traceId);
    return { traceId, turns, spans, invocations: invocationsOf(spans) };
  }

  turns(limit: number, session: string | undefined, blocked: boolean | undefined): readonly TurnSummary[] {
    return this.#turns(
      `WHERE parent_turn_id IS NULL AND (?1 IS NULL OR session_id = ?1) AND (?2 IS NULL OR has_block = ?2)
       ORDER BY start_time DESC, rowid DESC LIMIT ?3`,
      session ?? null,
      blocked === undefined ? null : Number(blocked),
      limit,
    );
  }

  #document(turn: TurnSummary): TurnDocument {
    const { traceId } = turn;
    const spans = underTurn(this.#spans(traceId), turn.spanId);
    return { turn, traceId, spans, invocations: invocationsOf(spans) };
  }

  #turns(where: string, ...values: (string | number | null)[]): readonly TurnSummary[] {
    const rows = this.#database.prepare(`SELECT document FROM turns ${where}`).all(...values);
    return rows.map((row) => JSON.parse(String(row["document"])) as TurnSummary);
  }

  #spans(traceId: string): readonly SpanDocument[] {
    const rows: Record<string, SQLOutputValue>[] = this.#database
      .prepare("SELECT document FROM spans WHERE trace_id = ?")
      .all(traceId);
    return rows.map((row) => JSON.parse(String(row["document"])) as SpanDocument).toSorted(byStart);
  }
}

/** A parent that started in the same instant as its child ends later. */
function byStart(left: SpanDocument, right: SpanDocument): number {
  return left.startTime - right.startTime || right.endTime - left.endTime;
}

function invocationsOf(spans: readonly SpanDocument[]): readonly InvocationDocument[] {
  return spans.map(toInvocationDocument).filter((invocation) => invocation !== undefined);
}

/** The turn's span and all below it; with the message's span on top and all below that, where the turn has one. */
function underTurn(spans: readonly SpanDocument[], turnSpanId: string): readonly SpanDocument[] {
  const turnSpan = spans.find((span) => span.spanId === turnSpanId);
  const above = spans.find((span) => span.spanId === turnSpan?.parentSpanId);
  const isMessage = above?.attributes["agent_message.outcome" satisfies AttributeKey] !== undefined;
  const included = new Set([above !== undefined && isMessage ? above.spanId : turnSpanId]);
  const children = Map.groupBy(spans, (span) => span.parentSpanId);
  for (const spanId of included) for (const child of children.get(spanId) ?? []) included.add(child.spanId);
  return spans.filter((span) => included.has(span.spanId));
}
