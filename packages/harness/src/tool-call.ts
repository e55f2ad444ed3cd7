import { snapshot, withTurnTotals, type JsonObject, type Risk, type ToolCallCause } from "@hookscope/hooks";
import { cut } from "@hookscope/hooks/internal";
import { SpanKind, type Context } from "@opentelemetry/api";

import { valueForSpan } from "./content.ts";
import type { ToolUseBlock } from "./messages.ts";
import type { TurnScope } from "./scope.ts";
import { OpenSpan } from "./spans.ts";
import { riskOf } from "./tool-table.ts";
import type { Tool } from "./tool.ts";

/*
 * A tool call moves through these shapes: asked for, permitted (phase 1), prepared by mods and hooks (phase 2), then
 * either stopped or executed, then finished. A function per step, each in a file of its own.
 */

/** Asked for by the model. The span begins here, from the permission check on. */
export class ToolCall {
  readonly scope: TurnScope;
  readonly block: ToolUseBlock;
  readonly tool: Tool | undefined;
  readonly span: OpenSpan;
  /** Under the call's span, with the turn's totals. */
  readonly context: Context;
  /** What would run: changed by mods and hooks on the way. */
  input: JsonObject;
  /** What phase 1 judges: the model's own input, mended where it had to be. */
  judgedInput: JsonObject;
  description: string | null = null;
  /** What a person is to be asked, because the permissions say so. */
  permissionQuestion: string | undefined;
  /** A person was asked about this call and let it run. */
  approvedByPerson = false;
  /** The tool itself; what an interrupt cut short counts too. */
  executionMs = 0;
  hookWaitMs = 0;
  approvalWaitMs = 0;

  constructor(scope: TurnScope, block: ToolUseBlock) {
    this.scope = scope;
    this.block = block;
    this.tool = scope.setup.tools.get(block.name);
    // Frozen: what would run changes only by what a hook returns, which is checked.
    this.input = snapshot(block.input);
    this.judgedInput = this.input;
    this.span = new OpenSpan({
      core: scope.setup.core,
      name: `execute_tool ${this.shownName}`,
      kind: SpanKind.INTERNAL,
      parent: scope.context,
      startTime: scope.now(),
      turn: scope.turn,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": block.name,
        "gen_ai.tool.call.id": block.id,
        "gen_ai.tool.type": this.tool?.type ?? "function",
        ...(this.tool === undefined ? {} : { "gen_ai.tool.description": this.tool.description }),
      },
    });
    this.context = withTurnTotals(this.span.context, scope.totals);
  }

  /** @param input the model's own, mended; before anybody judged it */
  acceptInput(input: JsonObject): void {
    this.input = input;
    this.judgedInput = input;
  }

  get identity(): { readonly toolCallId: string; readonly toolName: string } {
    return { toolCallId: this.block.id, toolName: this.block.name };
  }

  /** A name that a model made up may be of any length. */
  get shownName(): string {
    return cut(this.block.name, 100);
  }

  get risk(): Risk {
    return this.tool === undefined ? "unknown" : riskOf(this.tool, this.input);
  }

  /** Counts the time of hooks the call waits for. */
  async waitForHooks<Value>(work: () => Promise<Value>): Promise<Value> {
    const start = this.scope.now();
    try {
      return await work();
    } finally {
      this.hookWaitMs += this.scope.now() - start;
    }
  }

  argumentsForSpan(): { "gen_ai.tool.call.arguments"?: string } {
    return this.scope.setup.recordContent ? { "gen_ai.tool.call.arguments": valueForSpan(this.scope, this.input) } : {};
  }
}

/** Why a call does not run, and what the model is told. */
export interface Stop {
  readonly status: "blocked" | "denied" | "cancelled";
  readonly cause: ToolCallCause;
  readonly content: string;
  /** The hook, mod or check that stopped it. */
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
}

/** It could not run: no such tool, or an input that does not fit. */
export interface Refusal {
  readonly status: "error";
  readonly errorType: "unknown_tool" | "invalid_input";
  readonly content: string;
}

/** It ran. */
export interface Executed {
  readonly status: "ok" | "error";
  readonly content: string;
  readonly errorType?: string | undefined;
}

export const CANCELLED: Stop = { status: "cancelled", cause: "interrupt", content: "Cancelled" };
