import type { RecordedSession } from "../backend.ts";
import { decodeEntry, decodeHeader, decodeMarker, invalid } from "../decode.ts";
import type { CommitMarker, SessionEntry } from "../entries.ts";
import { misplacement } from "../placement.ts";

export interface ParsedFile {
  readonly session: RecordedSession;
  /** Bytes up to the end of the last marker; what follows was never committed. */
  readonly committedBytes: number;
}

const LINE_END = 0x0a;

/**
 * Reads a session's file.
 *
 * Bytes after the last marker are not looked at: a commit that was cut short is no fault of the file. Neither is a last
 * commit that has its marker and not all of its lines, which a loss of power can leave. Anything else amiss is one.
 *
 * @throws HarnessError SESSION_FILE_INVALID, SESSION_VERSION_NEWER
 */
export function parseSessionFile(bytes: Buffer, id: string, path: string): ParsedFile {
  if (bytes.length === 0) throw invalid(path, "it is empty.");
  const reader = new CommitReader(path);
  let lineNumber = 0;
  let start = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1; start = end + 1, end = bytes.indexOf(LINE_END, start)) {
    lineNumber += 1;
    const value = parseLine(bytes.subarray(start, end));
    if (lineNumber === 1) reader.begin(decodeHeader(value, id, path), end + 1);
    else reader.add(value, lineNumber, end + 1);
  }
  if (lineNumber === 0) {
    decodeHeader(parseLine(bytes), id, path);
    throw invalid(path, "its header is cut short.");
  }
  return reader.finish();
}

class CommitReader {
  readonly #path: string;
  readonly #entries: SessionEntry[] = [];
  readonly #ids = new Set<string>();
  #header: RecordedSession["header"] | undefined;
  #leaf: string | null = null;
  #committedBytes = 0;
  /** The commit under way. */
  #batch: SessionEntry[] = [];
  #fault: string | undefined;
  /** A fault was followed by a marker. One more, and it was not the last commit that was damaged. */
  #faultyCommit: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  begin(header: RecordedSession["header"], end: number): void {
    this.#header = header;
    this.#committedBytes = end;
  }

  add(value: unknown, lineNumber: number, end: number): void {
    const marker = decodeMarker(value);
    if (marker !== undefined) {
      this.#endCommit(marker, lineNumber, end);
      return;
    }
    const entry = decodeEntry(value);
    const problem = entry === undefined ? "is no entry." : misplacement(entry, this.#ids);
    if (entry === undefined || problem !== undefined) {
      this.#fault ??= `line ${lineNumber} ${problem}`;
    } else {
      this.#ids.add(entry.id);
      this.#batch.push(entry);
    }
  }

  finish(): ParsedFile {
    return {
      session: {
        header: this.#header as RecordedSession["header"],
        entries: this.#entries,
        leaf: this.#leaf,
      },
      committedBytes: this.#committedBytes,
    };
  }

  #endCommit(marker: CommitMarker, lineNumber: number, end: number): void {
    if (this.#faultyCommit !== undefined) throw invalid(this.#path, this.#faultyCommit);
    if (marker.entries !== this.#batch.length) {
      this.#fault ??= `the commit that ends in line ${lineNumber} has ${this.#batch.length} of ${marker.entries} entries.`;
    }
    if (marker.leaf !== null && !this.#ids.has(marker.leaf)) {
      this.#fault ??= `line ${lineNumber} names an entry that is not there, "${marker.leaf}".`;
    }
    if (this.#fault !== undefined) {
      this.#faultyCommit = this.#fault;
      return;
    }
    this.#entries.push(...this.#batch);
    this.#batch = [];
    this.#leaf = marker.leaf;
    this.#committedBytes = end;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined where the line is no JSON. */
function parseLine(line: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(line)) as unknown;
  } catch {
    return undefined;
  }
}
