import { HarnessError } from "./errors.ts";
import { describeValue, isObject } from "./field-rules.ts";
import type { ModelStreamPart } from "./model.ts";

/** The fields of a part without which it cannot be used: all of them texts. */
const TEXTS: { readonly [Type in ModelStreamPart["type"]]: readonly string[] } = {
  response: [],
  text_delta: ["text"],
  thinking_start: [],
  thinking_delta: ["text"],
  thinking_end: [],
  tool_input_start: ["id", "name"],
  tool_input_delta: ["id", "delta"],
  tool_call: ["id", "name", "input"],
  provider_block: ["name"],
  finish: [],
};

/** @throws HarnessError MODEL_STREAM_INVALID for what a client must not stream; a part of an unknown kind may pass */
export function checkPart(part: unknown): ModelStreamPart {
  if (!isObject(part)) throw invalid(`a part of the stream is ${describeValue(part)}`);
  const { type } = part;
  if (typeof type !== "string") throw invalid("a part of the stream has no `type`");
  const texts = Object.hasOwn(TEXTS, type) ? TEXTS[type as ModelStreamPart["type"]] : [];
  for (const name of texts) {
    if (typeof part[name] === "string") continue;
    throw invalid(`\`${name}\` of a ${type} is ${describeValue(part[name])}; it must be a text`);
  }
  return part as unknown as ModelStreamPart;
}

/** @throws HarnessError MODEL_STREAM_INVALID where a client gave nothing that can be read */
export function openStream(stream: AsyncIterable<ModelStreamPart>): AsyncIterator<unknown> {
  const given = stream as Partial<AsyncIterable<unknown>> | null | undefined;
  if (typeof given?.[Symbol.asyncIterator] === "function") return stream[Symbol.asyncIterator]();
  throw invalid(`the stream is ${describeValue(given)}; it must be an async iterable of parts`);
}

function invalid(problem: string): HarnessError {
  return new HarnessError("MODEL_STREAM_INVALID", `${problem}.`);
}
