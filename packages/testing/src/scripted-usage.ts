import type { Message } from "@hookscope/harness";
import type { Usage } from "@hookscope/hooks";

import type { RecordedRequest, ScriptedStep } from "./scripted-steps.ts";

/** The same texts cost the same tokens, on every machine: four characters a token, the rest of a token counted whole. */
export function scriptedUsage(request: RecordedRequest, step: ScriptedStep): Usage {
  const thinking = step.thinking ?? "";
  const calls = step.calls ?? [];
  const spoken = (step.text ?? "") + calls.map((call) => call.name + call.input).join("");
  return {
    input_tokens: tokens((request.system ?? "") + request.messages.map(textsOf).join("")),
    output_tokens: tokens(thinking + spoken),
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: tokens(thinking),
    ...step.usage,
  };
}

const CHARACTERS_PER_TOKEN = 4;

function tokens(value: string): number {
  return Math.ceil(value.length / CHARACTERS_PER_TOKEN);
}

function textsOf(message: Message): string {
  return message.content
    .map((block) => {
      switch (block.type) {
        case "text":
        case "thinking":
          return block.text;
        case "tool_use":
          return block.name + JSON.stringify(block.input);
        case "tool_result":
          return block.content.map((item) => item.text).join("");
        case "provider":
          return "";
      }
    })
    .join("");
}
