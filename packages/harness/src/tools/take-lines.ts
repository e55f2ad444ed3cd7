import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

export interface LineRange {
  /** The first line, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface TakenLines {
  readonly text: string;
  /** The line after the last whole one taken. */
  readonly nextLine: number;
  /** What ended it: the file, the number of lines, or the size limit. */
  readonly end: "file" | "limit" | "size";
}

/** Reads lines of a file of any size with little memory. Cut by size, the text ends with a whole line where there is one. */
export async function takeLines(handle: FileHandle, range: LineRange): Promise<TakenLines | "binary"> {
  const window = new LineWindow(range);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ;) {
    range.signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return window.finish("file");
    const chunk = buffer.subarray(0, bytesRead);
    if (looksBinary(chunk)) return "binary";
    const end = window.push(chunk);
    if (end !== undefined) return window.finish(end);
    position += bytesRead;
  }
}

/** Text has no zero bytes. */
export function looksBinary(chunk: Uint8Array): boolean {
  return chunk.includes(0);
}

const CHUNK_BYTES = 65_536;
const NEWLINE = 0x0a;

class LineWindow {
  readonly #range: LineRange;
  readonly #pieces: Buffer[] = [];
  #size = 0;
  #line = 1;
  /** Bytes taken up to the end of the last whole line. */
  #wholeLines = 0;
  #unfinished = false;

  constructor(range: LineRange) {
    this.#range = range;
  }

  /** Gives what ended the window, or undefined when it takes more. */
  push(chunk: Buffer): "limit" | "size" | undefined {
    const { offset, limit, maxBytes } = this.#range;
    for (let start = 0; start < chunk.length;) {
      if (this.#line >= offset + limit) return "limit";
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline + 1;
      if (this.#line >= offset) {
        const room = maxBytes - this.#size;
        this.#take(chunk.subarray(start, Math.min(end, start + room)));
        if (end - start > room) return "size";
      }
      this.#unfinished = newline === -1;
      if (newline !== -1) {
        this.#line += 1;
        this.#wholeLines = this.#size;
      }
      start = end;
    }
    return undefined;
  }

  finish(end: TakenLines["end"]): TakenLines {
    const bytes = Buffer.concat(this.#pieces);
    const kept = end === "size" && this.#wholeLines > 0 ? bytes.subarray(0, this.#wholeLines) : bytes;
    // A decoder holds back half a character at the end; the text is cut there.
    const decoded = new StringDecoder("utf8");
    const text = end === "size" ? decoded.write(kept) : kept.toString("utf8");
    return { text, nextLine: this.#line + (end === "file" && this.#unfinished ? 1 : 0), end };
  }

  #take(piece: Buffer): void {
    this.#pieces.push(Buffer.from(piece));
    this.#size += piece.length;
  }
}
