import { HarnessError } from "../../errors.ts";

const EXTENSION = ".jsonl";

const MAX_LENGTH = 200;

/** Any text may be an id: what a file name cannot say is written as %XX. @throws HarnessError SESSION_ID_INVALID */
export function fileNameOf(id: string): string {
  if (!id.isWellFormed()) throw invalid(`${JSON.stringify(id)} holds half a character.`);
  const name = encodeURIComponent(id).replace(/^\./, "%2E").replaceAll("*", "%2A");
  if (name.length > MAX_LENGTH) {
    throw invalid(
      `"${id.slice(0, 40)}…" is too long: ${name.length} of at most ${MAX_LENGTH} characters as a file name.`,
    );
  }
  return `${name}${EXTENSION}`;
}

/** Undefined where the file is no session's. */
export function idOf(fileName: string): string | undefined {
  if (!fileName.endsWith(EXTENSION)) return undefined;
  try {
    return decodeURIComponent(fileName.slice(0, -EXTENSION.length));
  } catch {
    return undefined;
  }
}

function invalid(message: string): HarnessError {
  return new HarnessError("SESSION_ID_INVALID", message);
}
