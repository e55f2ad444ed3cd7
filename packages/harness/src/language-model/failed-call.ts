import type { Usage } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import { ModelError } from "../model.ts";
import {
  BY_NAME,
  BY_NETWORK_CODE,
  BY_PROVIDER_WORD,
  BY_STATUS,
  CONNECTION,
  INVALID_RESPONSE,
  PROVIDER_ERROR,
  UNKNOWN,
  type FailureType,
} from "./failure-types.ts";
import { retryAfterMs } from "./retry-after.ts";

/** A failure that arrived as a part of the stream. `error` is whatever the provider package put there. */
export class StreamFailure extends Error {
  override readonly name = "StreamFailure";
  readonly error: unknown;
  readonly usage: Usage | undefined;

  constructor(error: unknown, usage?: Usage, stop?: string) {
    super(`The provider ended the answer with an error${stop === undefined ? "" : ` (${stop})`}.`);
    this.error = error;
    this.usage = usage;
  }
}

/**
 * The ModelError of a failed call. Errors are told by their fields and names, never by their class: more than one copy of
 * the AI SDK may be installed, and error parts of a stream are often plain objects. Where the error itself says whether
 * another attempt can help (`isRetryable`), that holds.
 */
export function failedCall(error: unknown, now: () => number): ModelError {
  if (error instanceof ModelError) return error;
  const inner = error instanceof StreamFailure ? (error.error ?? error) : error;
  const fields = (typeof inner === "object" && inner !== null ? inner : {}) as ErrorFields;
  const statusCode = statusOf(fields);
  const failure = classify(inner, fields, statusCode);
  const waitMs = retryAfterMs(fields.responseHeaders, now);
  const usage = error instanceof StreamFailure ? error.usage : undefined;
  const details = {
    statusCode,
    ...failure,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    ...(usage !== undefined && { usage }),
  };
  return new ModelError(messageOf(inner), details, { cause: inner });
}

/** What errors of the AI SDK, of connections and of providers carry; none of it is certain. */
interface ErrorFields {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly responseHeaders?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly data?: unknown;
  readonly cause?: unknown;
}

function statusOf(fields: ErrorFields): number | null {
  const status = fields.statusCode ?? fields.code;
  return Number.isInteger(status) && (status as number) >= 100 && (status as number) < 600 ? (status as number) : null;
}

/**
 * The provider's own word says most: a used-up quota comes with a 429, which the AI SDK would try again. Its `isRetryable`
 * comes next, but beside a 2xx it says nothing: a connection that broke in mid-answer carries the 200 it began with.
 */
function classify(error: unknown, fields: ErrorFields, status: number | null): FailureType {
  if (error instanceof StreamFailure) return PROVIDER_ERROR;
  if (error instanceof HarnessError) return { ...INVALID_RESPONSE, retryable: false };
  const said = byWord(fields);
  if (said !== undefined) return said;
  const { isRetryable } = fields;
  const failure =
    byName(fields) ??
    byNetwork(fields) ??
    byStatus(status) ??
    // No answer and no code, but the AI SDK says that it may be tried again: it reached nobody.
    (isRetryable === true ? CONNECTION : UNKNOWN);
  const began = status !== null && status < 300;
  return typeof isRetryable === "boolean" && !began ? { ...failure, retryable: isRetryable } : failure;
}

function byWord(fields: ErrorFields): FailureType | undefined {
  const body = (fields.data as { readonly error?: ErrorFields } | null | undefined)?.error;
  return [fields.code, fields.type, body?.code, body?.type]
    .map((word) => (typeof word === "string" ? BY_PROVIDER_WORD.get(word) : undefined))
    .find((failure) => failure !== undefined);
}

function byName(fields: ErrorFields): FailureType | undefined {
  const named = typeof fields.name === "string" ? BY_NAME.get(fields.name) : undefined;
  if (named !== undefined) return named;
  // An answer that cannot be read is wrapped in a call error: its cause says so.
  const cause = (fields.cause as ErrorFields | null | undefined)?.name;
  return typeof cause === "string" && BY_NAME.get(cause) === INVALID_RESPONSE ? INVALID_RESPONSE : undefined;
}

function byStatus(status: number | null): FailureType | undefined {
  if (status === null) return undefined;
  const exact = BY_STATUS.get(status);
  if (exact !== undefined) return exact;
  if (status >= 500) return { type: "server_error", retryable: true };
  return status >= 400 ? { type: "invalid_request", retryable: false } : INVALID_RESPONSE;
}

/** A code says more than the words of the error that wraps it. */
function byNetwork(fields: ErrorFields): FailureType | undefined {
  const code = networkCodeOf(fields);
  if (code !== undefined) return BY_NETWORK_CODE.get(code);
  const broke = causesOf(fields).some(
    (error) => error instanceof TypeError && (error.message === "fetch failed" || error.message === "terminated"),
  );
  return broke ? CONNECTION : undefined;
}

function networkCodeOf(error: unknown): string | undefined {
  const codes = causesOf(error).map(({ code }) => code);
  return codes.find((code): code is string => typeof code === "string" && BY_NETWORK_CODE.has(code));
}

function causesOf(error: unknown): readonly ErrorFields[] {
  const chain: ErrorFields[] = [];
  let current: unknown = error;
  while (chain.length < MAX_CAUSES && typeof current === "object" && current !== null) {
    chain.push(current as ErrorFields);
    current = (current as ErrorFields).cause;
  }
  return chain;
}

/** A chain of causes may be a ring. */
const MAX_CAUSES = 10;

function messageOf(error: unknown): string {
  const given = typeof error === "object" && error !== null ? (error as ErrorFields).message : error;
  const message = typeof given === "string" && given !== "" ? given : "The model call failed without a message.";
  const code = networkCodeOf(error);
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
