/** What can go wrong around a backend, by stable code. */
export type BackendErrorCode =
  | "BACKEND_UNKNOWN"
  | "BACKEND_UNAVAILABLE"
  | "BACKEND_BUILD_FAILED"
  | "BACKEND_BUILD_LOCKED"
  | "BACKEND_CONFIG_MISMATCH"
  | "BACKEND_EXITED"
  | "BACKEND_NOT_READY"
  | "BACKEND_REQUEST_FAILED"
  | "TRACE_INCOMPLETE"
  | "TRACE_NOT_FOUND";

/** A failure of the machinery that builds, starts or asks a backend; the message says what to do. */
export class BackendError extends Error {
  override readonly name = "BackendError";
  readonly code: BackendErrorCode;

  constructor(code: BackendErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
