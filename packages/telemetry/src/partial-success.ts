import { isRecord } from "./is-record.ts";

/** What a backend that took a request says of the spans in it. */
export interface PartialSuccess {
  /** Spans it rejected: a whole number, no more than were sent. */
  readonly rejected: number;
  /** As the backend sent it; empty where it said nothing. */
  readonly message: string;
}

/**
 * Reads the answer to an OTLP export: `{ partialSuccess: { rejectedSpans, errorMessage } }`, where both may be absent.
 * Undefined where it says nothing of the kind. Never throws.
 * @param sent how many spans the request had
 */
export function readPartialSuccess(answer: Uint8Array, sent: number): PartialSuccess | undefined {
  const body = parse(new TextDecoder().decode(answer));
  const partialSuccess = isRecord(body) ? body["partialSuccess"] : undefined;
  if (!isRecord(partialSuccess)) return undefined;
  const { rejectedSpans, errorMessage } = partialSuccess;
  return {
    rejected: countOf(rejectedSpans, sent),
    message: typeof errorMessage === "string" ? errorMessage : "",
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON of protobuf writes an int64 as a string, and takes a number too. */
function countOf(value: unknown, most: number): number {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === "number" && count > 0 ? Math.min(Math.floor(count), most) : 0;
}
