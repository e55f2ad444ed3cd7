import { redactSafely } from "@hookscope/hooks";

import type { Message } from "./messages.ts";
import type { TurnScope } from "./scope.ts";

/** Messages as the JSON text a span carries where content is recorded: in the convention's shape, redacted. */
export function messagesForSpan(scope: TurnScope, messages: readonly Message[]): string {
  const shaped = messages.map((message) => ({ role: message.role, parts: message.content.map(part) }));
  return JSON.stringify(redactSafely(scope.setup.core.redactor, shaped));
}

/** A value as the JSON text a span carries; redacted. */
export function valueForSpan(scope: TurnScope, value: unknown): string {
  return JSON.stringify(redactSafely(scope.setup.core.redactor, value));
}

function part(block: Message["content"][number]): object {
  switch (block.type) {
    case "text":
      return { type: "text", content: block.text };
    case "thinking":
      return { type: "reasoning", content: block.text };
    case "tool_use":
      return { type: "tool_call", id: block.id, name: block.name, arguments: block.input };
    case "tool_result":
      return {
        type: "tool_call_response",
        id: block.toolCallId,
        response: block.content.map(({ text }) => text).join("\n"),
      };
    case "provider":
      return { type: block.name, content: block.value };
  }
}
