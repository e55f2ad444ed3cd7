import { HarnessError } from "../errors.ts";
import {
  SESSION_PROGRAM,
  SESSION_VERSION,
  type CommitMarker,
  type SessionEntry,
  type SessionEntryType,
  type SessionHeader,
} from "./entries.ts";
import { isTimestamp } from "./timestamp.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param where names the file or the row, for the error
 * @throws HarnessError SESSION_FILE_INVALID, SESSION_VERSION_NEWER
 */
export function decodeHeader(value: unknown, id: string, where: string): SessionHeader {
  if (!isFields(value) || value["type"] !== "session" || value["program"] !== SESSION_PROGRAM) {
    throw invalid(where, "it is no session of Hookscope: another program's file is left as it is.");
  }
  const { version } = value;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    throw invalid(where, `its version is ${JSON.stringify(version)}, which is none.`);
  }
  if (version > SESSION_VERSION) {
    throw new HarnessError(
      "SESSION_VERSION_NEWER",
      `${where} has version ${version} of the format, and this Hookscope knows ${SESSION_VERSION}. Use a newer one.`,
    );
  }
  if (value["id"] !== id) {
    throw invalid(where, `it holds session ${JSON.stringify(value["id"])}, not "${id}". Was it renamed or copied?`);
  }
  if (typeof value["cwd"] !== "string" || !isTimestamp(value["createdAt"])) {
    throw invalid(where, "its header has no `cwd` or no `createdAt`.");
  }
  if (value["subagentOf"] !== undefined && !isOrigin(value["subagentOf"])) {
    throw invalid(where, "its header does not say which call it is a subagent's of.");
  }
  return value as unknown as SessionHeader;
}

/** Undefined where the value is no entry: what is wrong is then for the caller to say. */
export function decodeEntry(value: unknown): SessionEntry | undefined {
  if (!isFields(value)) return undefined;
  const { type, id, parentId, timestamp } = value;
  if (typeof id !== "string" || !isTimestamp(timestamp) || typeof type !== "string") return undefined;
  if (parentId !== null && typeof parentId !== "string") return undefined;
  return Object.hasOwn(FITS, type) && FITS[type as SessionEntryType](value)
    ? (value as unknown as SessionEntry)
    : undefined;
}

export function decodeMarker(value: unknown): CommitMarker | undefined {
  if (!isFields(value) || value["type"] !== "commit") return undefined;
  const { timestamp, entries, leaf, messages } = value;
  const fits =
    isTimestamp(timestamp) &&
    typeof entries === "number" &&
    typeof messages === "number" &&
    (leaf === null || typeof leaf === "string");
  return fits ? (value as unknown as CommitMarker) : undefined;
}

function isOrigin(value: unknown): boolean {
  return isFields(value) && areStrings(value["sessionId"], value["turnId"], value["toolCallId"], value["type"]);
}

export function isMessage(value: unknown): boolean {
  return (
    isFields(value) && (value["role"] === "user" || value["role"] === "assistant") && Array.isArray(value["content"])
  );
}

export function invalid(where: string, what: string, cause?: unknown): HarnessError {
  return new HarnessError("SESSION_FILE_INVALID", `${where}: ${what}`, cause === undefined ? undefined : { cause });
}

const FITS: { readonly [Type in SessionEntryType]: (fields: Fields) => boolean } = {
  message: ({ message }) => isMessage(message),
  custom: ({ modId, customType }) => areStrings(modId, customType),
  custom_message: ({ modId, customType, content }) => areStrings(modId, customType, content),
  compaction: ({ summary, firstKept }) => areStrings(summary, firstKept ?? ""),
  state: ({ after, before, messages }) =>
    areStrings(after ?? "", before ?? "") &&
    Array.isArray(messages) &&
    messages.every((item) => isFields(item) && (areStrings(item["entryId"]) || isMessage(item["message"]))),
  mod_state: ({ modId }) => areStrings(modId),
  reply: ({ text }) => areStrings(text),
  session_info: ({ title }) => areStrings(title),
};

function areStrings(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
