import { userMessage, type Message, type UserMessage } from "../messages.ts";

/** A tool result is cut to this many characters: what it led to stands in the messages after it. */
const MAX_RESULT_LENGTH = 2_000;

export const SUMMARY_SYSTEM_PROMPT: string =
  "You write the notes from which an assistant goes on with a task after the conversation so far is taken away. " +
  "Answer with the notes and nothing else.";

const INSTRUCTION = `Write the notes for the conversation above. Keep, under a heading each, and only what it holds:
- what the user wants, in their words where the wording matters, and what they ruled out
- what was done, with names of files, commands, identifiers and values exactly as they are
- what was found out, errors and their causes included
- what is decided, and why
- what is left to do, the next step first`;

/** The conversation as one text: a model without the tools would refuse the calls themselves. */
export function summaryRequest(messages: readonly Message[]): UserMessage {
  const transcript = messages.map(renderMessage).filter((line) => line !== "");
  return userMessage(`<conversation>\n${transcript.join("\n\n")}\n</conversation>\n\n${INSTRUCTION}`);
}

/** What stands in place of the messages that were taken away. */
export function summaryMessage(summary: string): UserMessage {
  return userMessage(`Notes on the conversation so far, of which only the end follows:\n\n${summary}`, "compaction");
}

function renderMessage(message: Message): string {
  return message.content
    .map((block) => renderBlock(message.role, block))
    .filter((line) => line !== "")
    .join("\n");
}

function renderBlock(role: Message["role"], block: Message["content"][number]): string {
  switch (block.type) {
    case "text":
      return `[${role}] ${block.text}`;
    case "tool_use":
      return `[assistant calls ${block.name}] ${JSON.stringify(block.input)}`;
    case "tool_result": {
      const result = block.content.map(({ text }) => text).join("\n");
      return `[${block.toolName} ${block.isError ? "failed" : "answers"}] ${cut(result)}`;
    }
    case "thinking":
    case "provider":
      return "";
  }
}

function cut(result: string): string {
  if (result.length <= MAX_RESULT_LENGTH) return result;
  return `${result.slice(0, MAX_RESULT_LENGTH)} (${result.length - MAX_RESULT_LENGTH} characters left out)`;
}
