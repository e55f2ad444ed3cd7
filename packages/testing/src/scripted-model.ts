import { ModelError, textOf, type ModelClient, type ModelRequest, type ModelStreamPart } from "@hookscope/harness";
import { snapshot, type Clock } from "@hookscope/hooks";

import { TestingError } from "./errors.ts";
import type { RecordedRequest, ScriptedStep, StepMaker } from "./scripted-steps.ts";
import { streamStep } from "./scripted-stream.ts";

/** The steps of a script are taken one by one, each by one call: an attempt that is tried again takes the next. */
export type Script = readonly (ScriptedStep | StepMaker)[];

export interface ScriptedModelOptions {
  /** default `scripted` */
  readonly provider?: string;
  /** default `scripted-model` */
  readonly model?: string;
  /** For the calls that no script of `scripts` takes. */
  readonly steps?: Script;
  /** Scripts of their own for some calls, a subagent's for example. The first whose `when` holds takes the call. */
  readonly scripts?: readonly { readonly when: (request: RecordedRequest) => boolean; readonly steps: Script }[];
  /** A wait before each part, in ms of `clock`, for steps that name none. Without a delay nothing sets a timer. */
  readonly delayMs?: number;
  readonly clock?: Clock;
}

export interface ScriptedModel extends ModelClient {
  /** Every request, in the order they came. */
  readonly requests: readonly RecordedRequest[];
}

/**
 * A model that does what it is told, the same every time: for tests, demonstrations and examples.
 *
 * A call past the end of its script fails for good with a ModelError of type `script_exhausted`.
 *
 * @throws TestingError `SCRIPT_INVALID` where a number of chunks or a delay cannot be used, or a delay has no clock
 */
export function createScriptedModel(options: ScriptedModelOptions): ScriptedModel {
  const { provider = "scripted", model = "scripted-model", steps = [], scripts = [], delayMs = 0, clock } = options;
  const requests: RecordedRequest[] = [];
  const cursors = [...scripts, { when: () => true, steps }].map((script) => ({ ...script, next: 0 }));
  requireUsable({ delayMs }, clock, "the model's options");
  for (const [number, script] of cursors.entries()) {
    for (const [index, step] of script.steps.entries()) {
      if (typeof step !== "function")
        requireStep(step, clock, `step ${index + 1} of ${nameOf(number, scripts.length)}`);
    }
  }

  return {
    provider,
    model,
    requests,
    stream({ signal, ...rest }: ModelRequest): AsyncIterable<ModelStreamPart> {
      const request = snapshot(rest);
      requests.push(request);
      const number = requests.length;
      return stream(request, signal, number);
    },
  };

  /** Takes its step when the call is made, not when it is read: parallel calls get theirs in the order they came. */
  function stream(request: RecordedRequest, signal: AbortSignal, number: number): AsyncIterable<ModelStreamPart> {
    try {
      const step = takeStep(request);
      return streamStep({ request, signal, number, step, delayMs: step.delayMs ?? delayMs, clock });
    } catch (error) {
      return failing(error);
    }
  }

  function takeStep(request: RecordedRequest): ScriptedStep {
    const index = cursors.findIndex(({ when }) => when(request));
    const cursor = cursors[index] as (typeof cursors)[number];
    const name = nameOf(index, scripts.length);
    const entry = cursor.steps[cursor.next];
    cursor.next += 1;
    if (entry === undefined) throw exhausted(request, name, cursor.steps.length, cursor.next);
    if (typeof entry !== "function") return entry;
    const made = entry(request, cursor.next - 1);
    requireStep(made, clock, `step ${cursor.next} of ${name}`);
    return made;
  }
}

function failing(error: unknown): AsyncIterable<ModelStreamPart> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}

function nameOf(index: number, scripts: number): string {
  return index === scripts ? "the main script" : `script ${index + 1}`;
}

function exhausted(request: RecordedRequest, name: string, steps: number, call: number): ModelError {
  const last = request.messages.at(-1);
  const said =
    last === undefined ? "no message" : `${last.role}: ${JSON.stringify(textOf(last.content).slice(0, SHOWN))}`;
  const error = new TestingError(
    "SCRIPT_EXHAUSTED",
    `${name} of the scripted model has ${steps} steps, and this is its call ${call}. Add a step. ` +
      `The last message of the request is ${said}.`,
  );
  const details = { statusCode: null, retryable: false, type: "script_exhausted" };
  return new ModelError(error.message, details, { cause: error });
}

/** Characters of the last message in an error. */
const SHOWN = 80;

function requireStep(step: unknown, clock: Clock | undefined, where: string): asserts step is ScriptedStep {
  const problem =
    typeof step !== "object" || step === null
      ? `is ${step === undefined || step === null ? String(step) : `a ${typeof step}`}, which is no step`
      : typeof (step as Partial<ScriptedStep>).ending?.type === "string"
        ? undefined
        : "has no ending";
  if (problem !== undefined) {
    throw invalid(
      `${where} ${problem}; make one with reply, callTools, malformedToolCall, failWith, breakAfter or hang.`,
    );
  }
  requireUsable(step as ScriptedStep, clock, where);
}

function requireUsable(step: Pick<ScriptedStep, "chunks" | "delayMs">, clock: Clock | undefined, where: string): void {
  const { chunks = 1, delayMs = 0 } = step;
  if (!Number.isInteger(chunks) || chunks < 1) {
    throw invalid(`chunks of ${where} is ${chunks}; it must be a whole number from 1 up.`);
  }
  if (!(delayMs >= 0 && Number.isFinite(delayMs))) {
    throw invalid(`delayMs of ${where} is ${delayMs}; it must be 0 or more milliseconds.`);
  }
  if (delayMs > 0 && clock === undefined) {
    throw invalid(`${where} has a delay, and the scripted model has no clock. Give it one.`);
  }
}

function invalid(message: string): TestingError {
  return new TestingError("SCRIPT_INVALID", message);
}
