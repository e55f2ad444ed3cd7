import type { JsonObject, Risk, TurnInfo } from "@hookscope/hooks";
import type { Context } from "@opentelemetry/api";

import type { ToolDefinition } from "./model.ts";

/** What a tool gets for one call. The OpenTelemetry context of the call is active while it runs. */
export interface ToolExecution {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The tool's own mutable copy, valid against its schema. */
  readonly input: Record<string, unknown>;
  /** Aborted by an interrupt. A tool must stop what it started. */
  readonly signal: AbortSignal;
  readonly cwd: string;
  readonly turn: TurnInfo;
  /** The context of the call's span, for tools that leave the asynchronous flow. */
  readonly parent: Context;
  /** Progress while it runs: becomes the event `tool_update`. */
  onUpdate(partial: string): void;
}

export interface ToolOutput {
  readonly content: string;
  /** The tool ran and says that it failed. */
  readonly isError?: boolean;
}

/** Something the model may call. `execute` may throw: the error's message is what the model sees. */
export interface Tool extends ToolDefinition {
  /** How dangerous a call is; `unknown` when absent. Computed again when a hook rewrites the input. */
  readonly risk?: Risk | ((input: JsonObject) => Risk);
  /** `extension` for tools that run elsewhere (MCP); default `function` */
  readonly type?: "function" | "extension";
  /**
   * The tool promises to end soon after its signal fired: an interrupt then waits for it, for a minute at most, so that what
   * it started ends within the turn. Without the promise it is left behind.
   */
  readonly endsOnInterrupt?: boolean;
  execute(call: ToolExecution): Promise<string | ToolOutput> | string | ToolOutput;
}
