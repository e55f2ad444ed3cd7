import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";

import { decodeHeader, decodeMarker, invalid } from "../decode.ts";
import type { CommitMarker, SessionHeader } from "../entries.ts";
import { summaryOf } from "../memory-store.ts";
import type { SessionSummary } from "../session.ts";
import { openRegularFile } from "./open-file.ts";

const CHUNK_BYTES = 64 * 1024;

/** Reads the two ends of a session's file: its header, and its last marker. A file that cannot be read says why. */
export async function readSummary(path: string, id: string): Promise<SessionSummary> {
  let handle: FileHandle | undefined;
  try {
    handle = await openRegularFile(path, constants.O_RDONLY);
    const { size } = await handle.stat();
    if (size === 0) throw invalid(path, "it is empty.");
    const header = await readHeader(handle, size, id, path);
    return summaryOf(header, (await readLastMarker(handle, size)) ?? { timestamp: header.createdAt, messages: 0 });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { id, cwd: "", createdAt: 0, updatedAt: 0, messages: 0, problem };
  } finally {
    await handle?.close();
  }
}

async function readHeader(handle: FileHandle, size: number, id: string, path: string): Promise<SessionHeader> {
  for (let length = Math.min(CHUNK_BYTES, size); ; length = Math.min(length * 2, size)) {
    const [line, ...rest] = (await read(handle, 0, length)).split("\n");
    if (rest.length > 0 || length === size) return decodeHeader(parse(line ?? ""), id, path);
  }
}

/** From the end on backwards, in ever larger pieces. */
async function readLastMarker(handle: FileHandle, size: number): Promise<CommitMarker | undefined> {
  for (let length = Math.min(CHUNK_BYTES, size); ; length = Math.min(length * 2, size)) {
    const lines = (await read(handle, size - length, length)).split("\n").slice(0, -1);
    const marker = lines.map((line) => decodeMarker(parse(line))).findLast((found) => found !== undefined);
    if (marker !== undefined || length === size) return marker;
  }
}

async function read(handle: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString("utf8", 0, bytesRead);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
