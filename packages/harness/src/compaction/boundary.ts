import type { Message } from "../messages.ts";
import { estimateTokens } from "./estimate.ts";

/**
 * Where the kept tail begins: as early as fits into `keepTokens`, and never between a tool call and its result. The last
 * message that can begin a tail is kept whatever its size.
 *
 * @returns an index from 1; undefined where nothing comes before the tail
 */
export function findTail(messages: readonly Message[], keepTokens: number): number | undefined {
  let start: number | undefined;
  let tokens = 0;
  for (let index = messages.length - 1; index > 0; index -= 1) {
    const message = messages[index] as Message;
    tokens += estimateTokens([message]);
    if (start !== undefined && tokens > keepTokens) break;
    if (canBegin(message)) start = index;
  }
  return start;
}

function canBegin(message: Message): boolean {
  return message.content.every((block) => block.type !== "tool_result");
}
