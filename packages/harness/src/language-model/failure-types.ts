import { UNREACHABLE_TYPE } from "../model.ts";

/** What kind of failure a call had: the `type` of a ModelError, and whether another attempt can help. */
export interface FailureType {
  readonly type: string;
  readonly retryable: boolean;
}

const retry = (type: string): FailureType => ({ type, retryable: true });
const giveUp = (type: string): FailureType => ({ type, retryable: false });

/** By HTTP status. A status that is not here: `server_error` from 500 up, `invalid_request` from 400 up. */
export const BY_STATUS: ReadonlyMap<number, FailureType> = new Map([
  [400, giveUp("invalid_request")],
  [401, giveUp("authentication")],
  [402, giveUp("quota")],
  [403, giveUp("permission")],
  [404, giveUp("not_found")],
  [408, retry("timeout")],
  [409, retry("conflict")],
  [413, giveUp("request_too_large")],
  [429, retry("rate_limited")],
  [503, retry("overloaded")],
  [504, retry("timeout")],
  [529, retry("overloaded")],
]);

/** By the `type` or `code` of an error that a provider sends inside a stream or a body. */
export const BY_PROVIDER_WORD: ReadonlyMap<string, FailureType> = new Map([
  ["api_error", retry("server_error")],
  ["authentication_error", giveUp("authentication")],
  ["billing_error", giveUp("quota")],
  ["context_length_exceeded", giveUp("request_too_large")],
  ["insufficient_quota", giveUp("quota")],
  ["internal_error", retry("server_error")],
  ["internal_server_error", retry("server_error")],
  ["invalid_api_key", giveUp("authentication")],
  ["invalid_request_error", giveUp("invalid_request")],
  ["model_not_found", giveUp("not_found")],
  ["not_found_error", giveUp("not_found")],
  ["overloaded", retry("overloaded")],
  ["overloaded_error", retry("overloaded")],
  ["permission_error", giveUp("permission")],
  ["rate_limit_error", retry("rate_limited")],
  ["rate_limit_exceeded", retry("rate_limited")],
  ["request_too_large", giveUp("request_too_large")],
  ["server_error", retry("server_error")],
  ["service_unavailable", retry("overloaded")],
  ["timeout", retry("timeout")],
  ["timeout_error", retry("timeout")],
]);

/** By the name of an error: those of the AI SDK carry the same names in every copy of it. */
export const BY_NAME: ReadonlyMap<string, FailureType> = new Map([
  ["AI_EmptyResponseBodyError", retry("invalid_response")],
  ["AI_InvalidArgumentError", giveUp("invalid_request")],
  ["AI_InvalidPromptError", giveUp("invalid_request")],
  ["AI_InvalidResponseDataError", retry("invalid_response")],
  ["AI_JSONParseError", retry("invalid_response")],
  ["AI_LoadAPIKeyError", giveUp("authentication")],
  ["AI_LoadSettingError", giveUp("configuration")],
  ["AI_NoContentGeneratedError", retry("invalid_response")],
  ["AI_NoSuchModelError", giveUp("not_found")],
  ["AI_TypeValidationError", retry("invalid_response")],
  ["AI_UnsupportedFunctionalityError", giveUp("unsupported")],
  ["AbortError", retry("aborted")],
  ["TimeoutError", retry("timeout")],
]);

export const CONNECTION: FailureType = retry("connection");
/** No connection came about: nobody listens there, or there is no such host, or no way to it. */
const UNREACHABLE: FailureType = retry(UNREACHABLE_TYPE);

/** By the `code` of an error of the network, anywhere in the chain of causes. */
export const BY_NETWORK_CODE: ReadonlyMap<string, FailureType> = new Map([
  ["EAI_AGAIN", UNREACHABLE],
  ["ECONNABORTED", CONNECTION],
  ["ECONNREFUSED", UNREACHABLE],
  ["ECONNRESET", CONNECTION],
  ["EHOSTUNREACH", UNREACHABLE],
  ["ENETUNREACH", UNREACHABLE],
  ["ENOTFOUND", UNREACHABLE],
  ["EPIPE", CONNECTION],
  ["ETIMEDOUT", CONNECTION],
  ["UND_ERR_BODY_TIMEOUT", CONNECTION],
  ["UND_ERR_CONNECT_TIMEOUT", UNREACHABLE],
  ["UND_ERR_HEADERS_TIMEOUT", CONNECTION],
  ["UND_ERR_SOCKET", CONNECTION],
]);

export const INVALID_RESPONSE: FailureType = retry("invalid_response");
/** The provider ended the answer with an error and did not say which. */
export const PROVIDER_ERROR: FailureType = retry("provider_error");
/** Most likely a mistake in a program: trying again would only repeat it. */
export const UNKNOWN: FailureType = giveUp("unknown");
