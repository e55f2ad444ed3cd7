import type { Readable, Writable } from "node:stream";

import { wrap } from "./timeline/text.ts";

/** A stream that may be a terminal. */
export type TerminalInput = Readable & { readonly isTTY?: boolean };
export type TerminalOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command has of the world outside: only `main.ts` makes one of the real process. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  readonly input: TerminalInput;
  /** Results: what a program reading the output wants. */
  readonly output: TerminalOutput;
  /** Everything else: progress, questions, notes, errors. */
  readonly errors: TerminalOutput;
  /** Called at each SIGINT, instead of ending the process. Returns what takes it away again. */
  onInterrupt(listener: () => void): () => void;
}

/** What the flags that every command has say. */
export interface OutputFlags {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly width?: number;
}

export const DEFAULT_WIDTH = 80;

/** Whether a person sits there and can answer. */
export function isInteractive({ input, errors }: Terminal): boolean {
  return input.isTTY === true && errors.isTTY === true;
}

/** Whether a line that changes in place can be shown. */
export function drawsOn({ errors, environment }: Terminal): boolean {
  return errors.isTTY === true && environment["TERM"] !== "dumb";
}

/** Flags first, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal. */
export function wantsColour(stream: TerminalOutput, { environment }: Terminal, { color }: OutputFlags): boolean {
  if (color !== undefined) return color;
  const { NO_COLOR: never, FORCE_COLOR: always, TERM: terminal } = environment;
  if (never !== undefined && never !== "") return false;
  if (always !== undefined && always !== "") return always !== "0" && always !== "false";
  return stream.isTTY === true && terminal !== "dumb";
}

export function widthOf(stream: TerminalOutput, { environment }: Terminal, { width }: OutputFlags): number {
  const given = width ?? columnsOf(stream) ?? Number(environment["COLUMNS"]);
  return Number.isInteger(given) && given > 0 ? given : DEFAULT_WIDTH;
}

/** A terminal may say 0 where it does not know. */
export function columnsOf({ columns }: TerminalOutput): number | undefined {
  return columns === undefined || columns <= 0 ? undefined : columns;
}

export function writeLines(stream: Writable, lines: readonly string[]): void {
  stream.write(lines.map((line) => `${line}\n`).join(""));
}

/** Sentences for a person, wrapped. */
export function writeText(terminal: Terminal, flags: OutputFlags, ...texts: readonly string[]): void {
  const width = widthOf(terminal.output, terminal, flags);
  writeLines(
    terminal.output,
    texts.flatMap((text) => wrap(text, width, Infinity)),
  );
}

/** Nothing in it can draw on a terminal: what JSON leaves as it is of controls and direction marks is escaped as well. */
export function writeJson(stream: Writable, value: unknown): void {
  const text = JSON.stringify(value, undefined, 2);
  const safe = text.replaceAll(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  stream.write(`${safe}\n`);
}

const UNSAFE_IN_JSON = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;
