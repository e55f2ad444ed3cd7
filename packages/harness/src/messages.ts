import type { JsonObject, JsonValue } from "@hookscope/hooks";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly text: string;
  /** What the provider wants back unchanged, a signature for example. */
  readonly metadata?: JsonObject;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Set where the model's text was no JSON object, so that the call cannot run: what is wrong with it. */
  readonly problem?: string;
  /** What the provider wants back unchanged, a signature for example. */
  readonly metadata?: JsonObject;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly TextBlock[];
  readonly isError: boolean;
}

/** Ran at the provider, not here; shown, never sent back. */
export interface ProviderBlock {
  readonly type: "provider";
  readonly name: string;
  readonly value: JsonValue;
}

export type UserContent = TextBlock | ToolResultBlock;
export type AssistantContent = TextBlock | ThinkingBlock | ToolUseBlock | ProviderBlock;

/** Where a user message came from; the model sees all of them as the user's. */
export type MessageSource =
  | "user"
  | "tool_results"
  | "steering"
  | "follow_up"
  | "stop_hook"
  | "continuation"
  | "custom"
  | "compaction";

export interface UserMessage {
  readonly role: "user";
  readonly source: MessageSource;
  readonly content: readonly UserContent[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
}

/** A closed union of wire types: whatever a mod has to say to the model is one of these. */
export type Message = UserMessage | AssistantMessage;

export function text(value: string): TextBlock {
  return { type: "text", text: value };
}

export function userMessage(value: string, source: MessageSource = "user"): UserMessage {
  return { role: "user", source, content: [text(value)] };
}

/** All text of a message's content, thinking and tool calls left out. */
export function textOf(content: readonly (UserContent | AssistantContent)[]): string {
  return content
    .filter((block): block is TextBlock => block.type === "text")
    .map((block) => block.text)
    .join("");
}

export function toolCallsOf(content: readonly AssistantContent[]): readonly ToolUseBlock[] {
  return content.filter((block): block is ToolUseBlock => block.type === "tool_use");
}
