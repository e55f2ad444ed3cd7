import { createInterface, type Interface } from "node:readline";

import {
  createRedactor,
  createSystemClock,
  type ApprovalRequestPayload,
  type Clock,
  type Redactor,
} from "@hookscope/hooks";

import type { ApprovalAnswer, Approver } from "./approver.ts";
import { HarnessError } from "./errors.ts";
import { describeQuestion } from "./describe-question.ts";
import { checkField, checkGiven, DURATION_MS, FUNCTION, oneOf } from "./field-rules.ts";

/** A stream of a terminal: `process.stdin` or `process.stdout`, or anything that behaves so. */
type TerminalStream<Stream> = Stream & { readonly isTTY?: boolean | undefined };
/** Whether an input is over: it would say so once, and be silent to whoever listens later. */
type Ending = { readonly readableEnded?: boolean; readonly destroyed?: boolean };

export interface TerminalApproverOptions {
  readonly input: TerminalStream<NodeJS.ReadableStream>;
  readonly output: TerminalStream<NodeJS.WritableStream>;
  /** What is answered for a person who does not. Said with the question. */
  readonly timeoutDefault?: { readonly afterMs: number; readonly answer: ApprovalAnswer };
  /** Called on Ctrl-C, which a terminal that is read from does not turn into a signal: abort the turn here. */
  readonly onInterrupt?: () => void;
  readonly redact?: Redactor;
  readonly clock?: Clock;
}

/**
 * Asks at a terminal. End of input and Ctrl-C deny; a wrong answer is asked for again. Arguments are shown without
 * secrets, cut, and with every control character escaped, so that nothing a model writes can draw on the terminal.
 *
 * @throws HarnessError APPROVER_NO_TERMINAL when either stream is none, HARNESS_OPTION_INVALID
 */
export function createTerminalApprover(options: TerminalApproverOptions): Approver {
  checkGiven("createTerminalApprover", options, "an object with `input` and `output`");
  checkOptions(options);
  if (options.input?.isTTY !== true || options.output?.isTTY !== true) {
    throw new HarnessError(
      "APPROVER_NO_TERMINAL",
      "nobody can be asked: input and output must be a terminal. Leave the approver out, and questions are answered `unavailable`.",
    );
  }
  const redact = options.redact ?? createRedactor();
  const clock = options.clock ?? createSystemClock();
  // Turns ask one question at a time; several turns at one terminal still might ask at once.
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(request, { signal }) {
      const answer = last.then((): ApprovalAnswer | Promise<ApprovalAnswer> => {
        signal.throwIfAborted();
        const { readableEnded, destroyed } = options.input as Ending;
        if (readableEnded === true || destroyed === true) return "deny";
        return new Question({ ...options, redact, clock }, request, signal).answer;
      });
      last = answer.catch(ignore);
      return answer;
    },
  };
}

function checkOptions({ timeoutDefault, onInterrupt }: TerminalApproverOptions): void {
  if (onInterrupt !== undefined) checkField(onInterrupt, FUNCTION, "onInterrupt");
  if (timeoutDefault === undefined) return;
  checkField(timeoutDefault.afterMs, DURATION_MS, "timeoutDefault.afterMs");
  checkField(timeoutDefault.answer, oneOf([...new Set(ANSWERS.values())]), "timeoutDefault.answer");
}

const ANSWERS: ReadonlyMap<string, ApprovalAnswer> = new Map([
  ["y", "once"],
  ["yes", "once"],
  ["once", "once"],
  ["s", "session"],
  ["session", "session"],
  ["a", "always"],
  ["always", "always"],
  ["n", "deny"],
  ["no", "deny"],
  ["deny", "deny"],
]);
const REACH = "  session and always hold for this tool with these very arguments\n";
const CHOICES = "[y] once  [s] session  [a] always  [n] deny";

/** One question, from its first line to the last of its answer. Leaves the terminal as it was. */
class Question {
  readonly answer: Promise<ApprovalAnswer>;
  readonly #output: NodeJS.WritableStream;
  readonly #lines: Interface;
  readonly #cleanUp: (() => void)[] = [];
  #ended = false;

  constructor(
    options: TerminalApproverOptions & { readonly redact: Redactor; readonly clock: Clock },
    request: ApprovalRequestPayload,
    signal: AbortSignal,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalAnswer>();
    this.answer = promise;
    this.#output = options.output;
    this.#output.write(describeQuestion(request, options.redact) + REACH);
    this.#lines = createInterface({ input: options.input, output: options.output, terminal: true, historySize: 0 });
    this.#lines.setPrompt(prompt(options.timeoutDefault));
    this.#lines.on("line", (line) => {
      const answer = ANSWERS.get(line.trim().toLowerCase());
      if (answer !== undefined) this.#end(() => resolve(answer));
      else this.#lines.prompt();
    });
    this.#lines.once("close", () => this.#end(() => resolve("deny"), "\n"));
    this.#lines.once("SIGINT", () => {
      options.onInterrupt?.();
      // The interrupt may have aborted the signal, and with it the question.
      this.#end(() => resolve("deny"), "\n");
    });
    const abort = (): void => this.#end(() => reject(signal.reason), CLEAR_LINE);
    signal.addEventListener("abort", abort, { once: true });
    this.#cleanUp.push(() => signal.removeEventListener("abort", abort));
    this.#answerLate(options, resolve);
    this.#lines.prompt();
  }

  #answerLate(
    { timeoutDefault, clock }: { timeoutDefault?: TerminalApproverOptions["timeoutDefault"]; clock: Clock },
    resolve: (answer: ApprovalAnswer) => void,
  ): void {
    if (timeoutDefault === undefined) return;
    const { afterMs, answer } = timeoutDefault;
    const timer = clock.setTimer(
      () => this.#end(() => resolve(answer), `${CLEAR_LINE}No answer: ${answer}.\n`),
      afterMs,
    );
    this.#cleanUp.push(() => timer.cancel());
  }

  #end(settle: () => void, lastWords = ""): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const cleanUp of this.#cleanUp) cleanUp();
    this.#lines.close();
    if (lastWords !== "") this.#output.write(lastWords);
    settle();
  }
}

/** The start of the line, and nothing after it. */
const CLEAR_LINE = "\r\u001b[K";

function prompt(timeoutDefault: TerminalApproverOptions["timeoutDefault"]): string {
  if (timeoutDefault === undefined) return `${CHOICES}: `;
  const seconds = Math.ceil(timeoutDefault.afterMs / 1_000);
  return `${CHOICES} (${timeoutDefault.answer} after ${seconds} s): `;
}

function ignore(): void {}
