import type { FinishReason, ModelErrorDetails, ModelRequest } from "@hookscope/harness";
import type { JsonObject, Usage } from "@hookscope/hooks";

/** A request as it was when it came, deeply frozen; its signal is left out. */
export type RecordedRequest = Omit<ModelRequest, "signal">;

/** What one model call does: it streams its content, then ends in one of four ways. The functions below make them. */
export interface ScriptedStep {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedToolCall[];
  readonly ending: ScriptedEnding;
  /** In how many pieces a text is streamed; 3 unless told, fewer where it is shorter than that. */
  readonly chunks?: number;
  /** What is left out is computed from the length of the texts, four characters a token. */
  readonly usage?: Partial<Usage>;
  /** A wait before each piece, in milliseconds of the model's clock. */
  readonly delayMs?: number;
}

export interface ScriptedToolCall {
  /** `call_<number of the request>_<number of the call>` unless told */
  readonly id?: string;
  readonly name: string;
  /** The model's own text, JSON or not. */
  readonly input: string;
}

export type ScriptedEnding =
  | { readonly type: "finish"; readonly reason: FinishReason }
  | { readonly type: "fail"; readonly message: string; readonly details: ModelErrorDetails }
  | { readonly type: "break" }
  | { readonly type: "hang" };

/** Makes a step of the request and the number of this call in its script, from 0. */
export type StepMaker = (request: RecordedRequest, callIndex: number) => ScriptedStep;

export type StreamedOptions = Pick<ScriptedStep, "thinking" | "chunks" | "usage" | "delayMs">;

/** The model answers, and the turn may end. `stop` is how: `end_turn` unless told. */
export function reply(
  text: string,
  { stop, ...options }: StreamedOptions & { readonly stop?: FinishReason } = {},
): ScriptedStep {
  return { ...options, text, ending: { type: "finish", reason: stop ?? "end_turn" } };
}

/** The model calls tools, after some text or none. */
export function callTools(
  calls: readonly { readonly name: string; readonly input: JsonObject; readonly id?: string }[],
  options: StreamedOptions & { readonly text?: string } = {},
): ScriptedStep {
  const written = calls.map((call) => ({ ...call, input: JSON.stringify(call.input) }));
  return { ...options, calls: written, ending: { type: "finish", reason: "tool_use" } };
}

/** The model calls one tool, with an input that is no JSON, or no object. */
export function malformedToolCall(
  name: string,
  input: string,
  options: StreamedOptions & { readonly id?: string } = {},
): ScriptedStep {
  const { id, ...rest } = options;
  const call = id === undefined ? { name, input } : { id, name, input };
  return { ...rest, calls: [call], ending: { type: "finish", reason: "tool_use" } };
}

export interface ScriptedFailure extends ModelErrorDetails {
  readonly message?: string;
  /** Streamed before it fails. Without it, the call fails before its first part. */
  readonly afterText?: string;
  readonly delayMs?: number;
}

/** The call fails with a ModelError. */
export function failWith({ message, afterText, delayMs, ...details }: ScriptedFailure): ScriptedStep {
  return {
    ...(afterText !== undefined && { text: afterText }),
    ...(delayMs !== undefined && { delayMs }),
    ending: { type: "fail", message: message ?? `scripted failure: ${details.type}`, details },
  };
}

/** The stream ends after the text, without a finish. */
export function breakAfter(text: string, options: StreamedOptions = {}): ScriptedStep {
  return { ...options, text, ending: { type: "break" } };
}

/** The call goes on until it is aborted, then throws the signal's reason. */
export function hang(options: StreamedOptions & { readonly afterText?: string } = {}): ScriptedStep {
  const { afterText, ...rest } = options;
  return { ...rest, ...(afterText !== undefined && { text: afterText }), ending: { type: "hang" } };
}
