import { snapshot, type JsonObject, type Usage } from "@hookscope/hooks";

import type { PartialContent } from "./events.ts";
import type { AssistantContent, ToolUseBlock } from "./messages.ts";
import { countedUsage, type FinishReason, type ModelStreamPart } from "./model.ts";
import { parseToolInput, type ParsedInput } from "./tool-input.ts";

export interface ModelAnswer {
  readonly content: readonly AssistantContent[];
  readonly usage: Usage;
  /** The provider's own word. */
  readonly stop: string;
  readonly reason: FinishReason;
  readonly responseModel: string | undefined;
  readonly responseId: string | undefined;
  /** Tool calls whose input was no object. */
  readonly coerced: readonly { readonly id: string; readonly name: string; readonly input: ParsedInput }[];
}

type Open =
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; text: string; metadata?: JsonObject }
  | { readonly type: "partial_tool_use"; readonly id: string; readonly name: string; inputText: string }
  | { readonly type: "done"; readonly block: AssistantContent };

/** Puts a stream's parts together into the message they make. */
export class MessageAccumulator {
  readonly #blocks: Open[] = [];
  readonly #coerced: { id: string; name: string; input: ParsedInput }[] = [];
  #responseModel: string | undefined;
  #responseId: string | undefined;
  readonly #ids = new Set<string>();
  #finish: { readonly reason: FinishReason; readonly stop: string; readonly usage: Usage } | undefined;

  add(part: ModelStreamPart): void {
    switch (part.type) {
      case "response":
        this.#responseId = part.id ?? this.#responseId;
        this.#responseModel = part.model ?? this.#responseModel;
        break;
      case "text_delta":
        this.#last("text").text += part.text;
        break;
      case "thinking_start":
        this.#blocks.push({ type: "thinking", text: "" });
        break;
      case "thinking_delta":
        this.#last("thinking").text += part.text;
        break;
      case "thinking_end":
        if (part.metadata !== undefined) this.#last("thinking").metadata = part.metadata;
        break;
      case "tool_input_start":
        this.#blocks.push({ type: "partial_tool_use", id: part.id, name: part.name, inputText: "" });
        break;
      case "tool_input_delta":
        this.#addInput(part.id, part.delta);
        break;
      case "tool_call":
        this.#finishToolCall(part);
        break;
      case "provider_block":
        this.#blocks.push({ type: "done", block: { type: "provider", name: part.name, value: part.value } });
        break;
      case "finish":
        this.#finish = { ...part, usage: countedUsage(part.usage) };
        break;
    }
  }

  /** Whether the answer is complete. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  /** The last thinking, whole. */
  get thinkingText(): string {
    const thinking = this.#blocks.findLast((block) => block.type === "thinking");
    return thinking?.type === "thinking" ? thinking.text : "";
  }

  partial(): readonly PartialContent[] {
    return this.#blocks.map((block) => (block.type === "done" ? block.block : { ...block }));
  }

  /** undefined where the stream ended without a finish: the call failed. */
  answer(): ModelAnswer | undefined {
    if (this.#finish === undefined) return undefined;
    return {
      content: this.#blocks.flatMap(close),
      usage: this.#finish.usage,
      stop: this.#finish.stop,
      reason: this.#finish.reason,
      responseModel: this.#responseModel,
      responseId: this.#responseId,
      coerced: this.#coerced,
    };
  }

  #last<Type extends "text" | "thinking">(type: Type): Extract<Open, { type: Type }> {
    const last = this.#blocks.at(-1);
    if (last?.type === type) return last as Extract<Open, { type: Type }>;
    const block = { type, text: "" } as Extract<Open, { type: Type }>;
    this.#blocks.push(block);
    return block;
  }

  #addInput(id: string, delta: string): void {
    const block = this.#blocks.find((open) => open.type === "partial_tool_use" && open.id === id);
    if (block?.type === "partial_tool_use") block.inputText += delta;
  }

  #finishToolCall({ id: given, name, input: raw, metadata }: Extract<ModelStreamPart, { type: "tool_call" }>): void {
    const input = parseToolInput(raw);
    const id = this.#ownId(given);
    if (input.coercedFrom !== undefined) this.#coerced.push({ id, name, input });
    const block: ToolUseBlock = {
      type: "tool_use",
      id,
      name,
      input: input.input,
      ...(input.problem === undefined ? {} : { problem: input.problem }),
      ...(metadata === undefined ? {} : { metadata }),
    };
    // Frozen once: the partial messages to come share it.
    const done: Open = { type: "done", block: snapshot(block) };
    const index = this.#blocks.findIndex((open) => open.type === "partial_tool_use" && open.id === given);
    if (index === -1) this.#blocks.push(done);
    else this.#blocks[index] = done;
  }

  /** A result is told from others by its call's id: one that is empty, or that another call of the answer has, tells nothing. */
  #ownId(given: string): string {
    const id = given === "" || this.#ids.has(given) ? crypto.randomUUID() : given;
    this.#ids.add(id);
    return id;
  }
}

/** An empty text and a tool call that was never finished are no content. */
function close(block: Open): readonly AssistantContent[] {
  switch (block.type) {
    case "done":
      return [block.block];
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return [block];
    case "partial_tool_use":
      return [];
  }
}
