import type { DatabaseSync, StatementSync } from "node:sqlite";

import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";

import { BUSY_TIMEOUT_MS } from "./open-database.ts";
import { toSpanDocument } from "./span-document.ts";
import { toTurnSummary } from "./turn-summary.ts";

/** Writes finished spans, a batch in one transaction: all of it, or nothing. */
export class SpanWriter implements SpanExporter {
  readonly #database: DatabaseSync;
  readonly #maxTurns: number;
  readonly #insertSpan: StatementSync;
  readonly #insertTurn: StatementSync;
  #sinceCleared = 0;
  /** The last batch was given up. The next one does not wait: whoever holds the file must not hold up the agent each time. */
  #hasGivenUp = false;

  constructor(database: DatabaseSync, maxTurns: number) {
    this.#database = database;
    this.#maxTurns = maxTurns;
    this.#insertSpan = database.prepare("INSERT OR REPLACE INTO spans VALUES (?, ?, ?, ?)");
    this.#insertTurn = database.prepare("INSERT OR REPLACE INTO turns VALUES (?, ?, ?, ?, ?, ?, ?)");
  }

  export(spans: ReadableSpan[], resultCallback: (result: ExportResult) => void): void {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      const hasTurn = this.#writeAll(spans);
      if (hasTurn) this.#clearOldTurns();
      this.#sinceCleared += spans.length;
      if (this.#sinceCleared >= CLEAR_AFTER_SPANS) this.#clearSpansWithoutTurn();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#giveUp();
      resultCallback({
        code: ExportResultCode.FAILED,
        error: error instanceof Error ? error : new Error(String(error)),
      });
      return;
    }
    if (this.#hasGivenUp) this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.#hasGivenUp = false;
    resultCallback({ code: ExportResultCode.SUCCESS });
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }

  #giveUp(): void {
    if (!this.#database.isOpen) return;
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    this.#hasGivenUp = true;
    this.#database.exec("PRAGMA busy_timeout = 0");
  }

  #writeAll(spans: readonly ReadableSpan[]): boolean {
    let hasTurn = false;
    for (const span of spans) {
      const { traceId } = span.spanContext();
      const document = toSpanDocument(span);
      this.#insertSpan.run(traceId, document.spanId, document.startTime, JSON.stringify(document));
      const turn = toTurnSummary(traceId, document);
      if (turn === undefined) continue;
      hasTurn = true;
      this.#insertTurn.run(
        turn.turnId,
        traceId,
        turn.sessionId ?? null,
        turn.parentTurnId ?? null,
        turn.hasBlock === true ? 1 : 0,
        turn.startTime,
        JSON.stringify(turn),
      );
    }
    return hasTurn;
  }

  /** A trace goes with the last of its turns. */
  #clearOldTurns(): void {
    const old = this.#database
      .prepare(
        `SELECT DISTINCT trace_id FROM turns WHERE turn_id IN (
           SELECT turn_id FROM turns WHERE parent_turn_id IS NULL ORDER BY start_time DESC LIMIT -1 OFFSET ?)
         AND trace_id NOT IN (
           SELECT trace_id FROM turns WHERE parent_turn_id IS NULL ORDER BY start_time DESC LIMIT ?)`,
      )
      .all(this.#maxTurns, this.#maxTurns);
    for (const row of old) {
      const traceId = String(row["trace_id"]);
      this.#database.prepare("DELETE FROM spans WHERE trace_id = ?").run(traceId);
      this.#database.prepare("DELETE FROM turns WHERE trace_id = ?").run(traceId);
    }
  }

  /** Spans of turns that still run have no turn yet, so those stay in number. */
  #clearSpansWithoutTurn(): void {
    this.#sinceCleared = 0;
    this.#database
      .prepare(
        `DELETE FROM spans WHERE rowid IN (
           SELECT rowid FROM spans WHERE trace_id IN (${TRACES_WITHOUT_TURN})
           ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
      )
      .run(MAX_SPANS_WITHOUT_TURN);
  }
}

/** From one trace to the next by the index: a look at each span of a full store would hold the agent up. */
const TRACES_WITHOUT_TURN = `
  WITH RECURSIVE traces (trace_id) AS (
    SELECT min(trace_id) FROM spans
    UNION ALL
    SELECT (SELECT min(trace_id) FROM spans WHERE trace_id > traces.trace_id) FROM traces WHERE trace_id IS NOT NULL)
  SELECT trace_id FROM traces WHERE trace_id IS NOT NULL AND trace_id NOT IN (SELECT trace_id FROM turns)`;

const CLEAR_AFTER_SPANS = 5_000;
const MAX_SPANS_WITHOUT_TURN = 50_000;
