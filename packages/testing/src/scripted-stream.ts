import { ModelError, type ModelStreamPart } from "@hookscope/harness";
import type { Clock } from "@hookscope/hooks";

import type { RecordedRequest, ScriptedStep, ScriptedToolCall } from "./scripted-steps.ts";
import { scriptedUsage } from "./scripted-usage.ts";

export interface ScriptedCall {
  readonly request: RecordedRequest;
  readonly signal: AbortSignal;
  /** The number of the request at this model, from 1. */
  readonly number: number;
  readonly step: ScriptedStep;
  readonly delayMs: number;
  readonly clock: Clock | undefined;
}

/** Streams one step. An aborted signal ends it before the next part, with the signal's reason. */
export async function* streamStep(call: ScriptedCall): AsyncGenerator<ModelStreamPart, void, undefined> {
  const { signal, step } = call;
  for (const part of partsOf(call)) {
    await pause(call);
    signal.throwIfAborted();
    yield part;
  }
  signal.throwIfAborted();
  const { ending } = step;
  switch (ending.type) {
    case "finish":
      yield { type: "finish", reason: ending.reason, stop: ending.reason, usage: scriptedUsage(call.request, step) };
      return;
    case "fail":
      throw new ModelError(ending.message, ending.details);
    case "break":
      return;
    case "hang":
      await aborted(signal);
      signal.throwIfAborted();
  }
}

function* partsOf({ request, number, step }: ScriptedCall): Generator<ModelStreamPart> {
  const { thinking, text, calls = [], chunks = DEFAULT_CHUNKS, ending } = step;
  const silent = thinking === undefined && text === undefined && calls.length === 0;
  if (silent && ending.type !== "finish") return;
  yield { type: "response", id: `response_${number}`, model: request.model };
  if (thinking !== undefined) {
    yield { type: "thinking_start" };
    for (const piece of split(thinking, chunks)) yield { type: "thinking_delta", text: piece };
    yield { type: "thinking_end" };
  }
  for (const piece of split(text ?? "", chunks)) yield { type: "text_delta", text: piece };
  for (const [index, call] of calls.entries()) yield* toolCallParts(call, `call_${number}_${index + 1}`, chunks);
}

const DEFAULT_CHUNKS = 3;

function* toolCallParts(
  { name, input, id: given }: ScriptedToolCall,
  defaultId: string,
  chunks: number,
): Generator<ModelStreamPart> {
  const id = given ?? defaultId;
  yield { type: "tool_input_start", id, name };
  for (const delta of split(input, chunks)) yield { type: "tool_input_delta", id, delta };
  yield { type: "tool_call", id, name, input };
}

/** Equal pieces, by code points, so that no character is torn; the first ones are longer by one where it does not fit. */
function split(value: string, chunks: number): string[] {
  const points = Array.from(value);
  const count = Math.min(chunks, points.length);
  const pieces: string[] = [];
  for (let index = 0, start = 0; index < count; index += 1) {
    const end = start + Math.ceil((points.length - start) / (count - index));
    pieces.push(points.slice(start, end).join(""));
    start = end;
  }
  return pieces;
}

async function pause({ clock, delayMs, signal }: ScriptedCall): Promise<void> {
  if (clock === undefined || delayMs <= 0 || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimer(resolve, delayMs);
  const stop = (): void => {
    timer.cancel();
    resolve();
  };
  signal.addEventListener("abort", stop, { once: true });
  await promise;
  signal.removeEventListener("abort", stop);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}
