import { spanTypeOf } from "@hookscope/hooks/internal";
import type { Context } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace";

import { duration } from "./timeline/format.ts";
import { splitName } from "./timeline/read-span.ts";
import { printable, shorten } from "./timeline/text.ts";
import { columnsOf, DEFAULT_WIDTH, type TerminalOutput } from "./terminal.ts";

/** Something a turn is waiting for. */
export interface Wait {
  readonly type: "model_call" | "tool_call" | "hook" | "approval" | "compaction";
  /** The span's name. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Shorter waits are not worth a line. */
const SHORTEST_MS = 300;

/** One line on what is being waited for; undefined where there is nothing to say. A person has the question before them. */
export function statusLine(waits: readonly Wait[], now: number, width: number): string | undefined {
  if (waits.some(({ type }) => type === "approval")) return undefined;
  const wait = waits.at(-1);
  if (wait === undefined || now - wait.since < SHORTEST_MS) return undefined;
  return shorten(`waiting ${duration(now - wait.since)} for ${subject(wait)}`, width - 1);
}

function subject({ type, name }: Wait): string {
  const [what, which] = splitName(printable(name));
  switch (type) {
    case "model_call":
      return `the model ${which}`;
    case "tool_call":
      return `the tool ${which}`;
    case "hook":
      return `the hook ${which} at ${what}`;
    case "compaction":
      return "the conversation to be made shorter";
    case "approval":
      return "a person";
  }
}

const REFRESH_MS = 100;
const CLEAR = "\r\u001B[K";

export interface StatusLineOptions {
  /** Whether the stream is a terminal that can rub a line out; else nothing is shown. */
  readonly draws: boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Keeps one line at the bottom of a terminal up to date with the spans that are open. */
export class StatusLine implements SpanProcessor {
  readonly #stream: TerminalOutput;
  readonly #draws: boolean;
  readonly #now: () => number;
  readonly #waits = new Map<string, Wait>();
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(stream: TerminalOutput, { draws, now = Date.now }: StatusLineOptions) {
    this.#stream = stream;
    this.#draws = draws;
    this.#now = now;
  }

  onStart(span: Span, _parent: Context): void {
    if (!this.#draws) return;
    const type = spanTypeOf(span);
    if (type === undefined || type === "message" || type === "turn" || type === "session_end") return;
    this.#waits.set(span.spanContext().spanId, { type, name: span.name, since: this.#now() });
    if (type === "approval") this.clear();
    this.#timer ??= setInterval(() => this.#draw(), REFRESH_MS).unref();
  }

  onEnd(span: ReadableSpan): void {
    if (!this.#waits.delete(span.spanContext().spanId)) return;
    if (this.#waits.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.clear();
  }

  /** Before anything else is written to the same terminal. */
  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#stream.write(CLEAR);
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.clear();
    return Promise.resolve();
  }

  #draw(): void {
    const line = statusLine([...this.#waits.values()], this.#now(), columnsOf(this.#stream) ?? DEFAULT_WIDTH);
    if (line === undefined) return this.clear();
    this.#isShown = true;
    this.#stream.write(`${CLEAR}${line}`);
  }
}
