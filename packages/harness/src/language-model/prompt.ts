import type { LanguageModelV4Message, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { JsonObject } from "@hookscope/hooks";

import type {
  AssistantContent,
  AssistantMessage,
  Message,
  TextBlock,
  ToolResultBlock,
  UserContent,
  UserMessage,
} from "../messages.ts";
import type { ModelRequest } from "../model.ts";

/** The system prompt and the messages as the AI SDK wants them. Blank texts are left out: providers refuse them. */
export function toPrompt(request: Pick<ModelRequest, "system" | "messages">): LanguageModelV4Message[] {
  const messages = request.messages.flatMap(toMessages);
  return isBlank(request.system) ? messages : [{ role: "system", content: request.system }, ...messages];
}

function toMessages(message: Message): LanguageModelV4Message[] {
  return message.role === "user" ? fromUser(message) : fromAssistant(message);
}

/** Tool results come first: every provider wants them directly after the message that made the calls. */
function fromUser(message: UserMessage): LanguageModelV4Message[] {
  const results = message.content.filter(isToolResult).map(toToolResult);
  const texts = message.content.filter(isText).filter((block) => !isBlank(block.text));
  return [
    ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
    ...(texts.length > 0 ? [{ role: "user" as const, content: texts.map(toText) }] : []),
  ];
}

function fromAssistant(message: AssistantMessage): LanguageModelV4Message[] {
  const content = message.content.flatMap(toAssistantPart);
  return content.length > 0 ? [{ role: "assistant", content }] : [];
}

type PartOf<Role> = Extract<LanguageModelV4Message, { role: Role }>["content"] extends (infer Part)[] ? Part : never;

function toAssistantPart(block: AssistantContent): PartOf<"assistant">[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? [] : [toText(block)];
    case "thinking":
      return [{ type: "reasoning", text: block.text, ...toProviderOptions(block.metadata) }];
    case "tool_use":
      return [
        {
          type: "tool-call",
          toolCallId: block.id,
          toolName: block.name,
          input: block.input,
          ...toProviderOptions(block.metadata),
        },
      ];
    case "provider":
      return [];
  }
}

/**
 * Thinking goes back with what the provider gave beside it: `{ anthropic: { signature } }` for example. Metadata of
 * another shape came from elsewhere, and no provider would read it.
 */
function toProviderOptions(metadata: JsonObject | undefined): { providerOptions?: SharedV4ProviderOptions } {
  if (metadata === undefined) return {};
  const entries = Object.entries(metadata).filter(
    ([, value]) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  return entries.length > 0 ? { providerOptions: Object.fromEntries(entries) as SharedV4ProviderOptions } : {};
}

function toToolResult(block: ToolResultBlock): Extract<PartOf<"tool">, { type: "tool-result" }> {
  const value = block.content.map((item) => item.text).join("\n");
  return {
    type: "tool-result",
    toolCallId: block.toolCallId,
    toolName: block.toolName,
    output: { type: block.isError ? "error-text" : "text", value },
  };
}

function toText(block: TextBlock): { type: "text"; text: string } {
  return { type: "text", text: block.text };
}

function isToolResult(block: UserContent): block is ToolResultBlock {
  return block.type === "tool_result";
}

function isText(block: UserContent): block is TextBlock {
  return block.type === "text";
}

function isBlank(value: string | undefined): value is undefined {
  return value === undefined || value.trim() === "";
}
