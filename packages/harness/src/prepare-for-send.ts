import {
  text,
  toolCallsOf,
  type Message,
  type ToolResultBlock,
  type UserContent,
  type UserMessage,
} from "./messages.ts";

/**
 * Makes a conversation valid on the wire: a tool call without a result gets one, a result without a call is left out,
 * messages that follow one another in one role are merged, and nothing empty is sent. The log itself is not touched.
 *
 * @param turnContext what hooks added for this turn only; it joins the turn's user message, for the model only
 */
export function prepareForSend(messages: readonly Message[], turnContext: string | undefined): readonly Message[] {
  const all = turnContext === undefined ? messages : withContext(messages, turnContext);
  // A result may come after something else that was said to the model: only together are they the answer to its calls.
  return mergeAssistant(heal(mergeUser(all.filter(({ content }) => content.length > 0))));
}

function withContext(messages: readonly Message[], turnContext: string): readonly Message[] {
  const index = messages.findLastIndex((message) => message.role === "user" && message.source === "user");
  const addition = text(turnContext);
  if (index === -1) return [...messages, { role: "user", source: "user", content: [addition] }];
  return messages.map((message, position) =>
    position === index && message.role === "user" ? { ...message, content: [...message.content, addition] } : message,
  );
}

function heal(messages: readonly Message[]): readonly Message[] {
  const healed: Message[] = [];
  let open: ReadonlyMap<string, string> = new Map();
  for (const message of messages) {
    if (message.role === "assistant") {
      closeOrphans(healed, open);
      healed.push(message);
      open = new Map(toolCallsOf(message.content).map((call) => [call.id, call.name]));
    } else {
      const answered = new Set(message.content.filter(isToolResult).map((block) => block.toolCallId));
      const content = message.content.filter((block) => !isToolResult(block) || open.has(block.toolCallId));
      const missing = orphanResults(new Map([...open].filter(([id]) => !answered.has(id))));
      open = new Map();
      if (content.length + missing.length > 0) healed.push({ ...message, content: [...missing, ...content] });
    }
  }
  closeOrphans(healed, open);
  return healed;
}

function closeOrphans(healed: Message[], open: ReadonlyMap<string, string>): void {
  if (open.size > 0) healed.push({ role: "user", source: "tool_results", content: orphanResults(open) });
}

function orphanResults(open: ReadonlyMap<string, string>): readonly ToolResultBlock[] {
  return [...open].map(([toolCallId, toolName]) => ({
    type: "tool_result",
    toolCallId,
    toolName,
    content: [text("Cancelled")],
    isError: true,
  }));
}

function mergeUser(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === "user" && message.role === "user") {
      const content = resultsFirst([...last.content, ...message.content]);
      merged[merged.length - 1] = { ...last, content } satisfies UserMessage;
    } else {
      merged.push(message);
    }
  }
  return merged;
}

function mergeAssistant(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === "assistant" && message.role === "assistant") {
      merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else {
      merged.push(message);
    }
  }
  return merged;
}

/** Providers want the results of tool calls before any other text of the message. */
function resultsFirst(content: readonly UserContent[]): readonly UserContent[] {
  return [...content.filter(isToolResult), ...content.filter((block) => !isToolResult(block))];
}

function isToolResult(block: UserContent): block is ToolResultBlock {
  return block.type === "tool_result";
}
