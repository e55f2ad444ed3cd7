import type { Message } from "../messages.ts";

/** Characters of a token, roughly, in the languages and code that models are given most. */
const CHARACTERS_PER_TOKEN = 4;

/** What a message costs beside its content. */
const TOKENS_PER_MESSAGE = 4;

/** Messages of a log are never changed, and are counted anew each round. */
const known = new WeakMap<Message, number>();

/** About how many tokens messages are. An estimate: no provider counts this way, and none is asked. */
export function estimateTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

function estimateMessage(message: Message): number {
  let tokens = known.get(message);
  if (tokens === undefined) {
    const characters = message.content.reduce((sum, block) => sum + sizeOf(block), 0);
    tokens = TOKENS_PER_MESSAGE + Math.ceil(characters / CHARACTERS_PER_TOKEN);
    if (Object.isFrozen(message)) known.set(message, tokens);
  }
  return tokens;
}

function sizeOf(block: Message["content"][number]): number {
  switch (block.type) {
    case "text":
    case "thinking":
      return block.text.length;
    case "tool_use":
      return block.name.length + JSON.stringify(block.input).length;
    case "tool_result":
      return block.content.reduce((sum, { text }) => sum + text.length, 0);
    case "provider":
      return 0;
  }
}
