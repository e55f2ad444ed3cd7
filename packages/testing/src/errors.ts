/** Every error this package throws: what it means and what to do about it. The documentation page is made from it. */
export const TESTING_ERRORS: { readonly [Code in TestingErrorCode]: string } = {
  SCRIPT_INVALID: "A step of a scripted model cannot be used. The message names it and says what it must be.",
  SCRIPT_EXHAUSTED: "A scripted model was called more often than its script has steps. Add steps, or look why it was.",
};

export type TestingErrorCode = "SCRIPT_INVALID" | "SCRIPT_EXHAUSTED";

/** Thrown where a test's parts are set up or run out. */
export class TestingError extends Error {
  override readonly name = "TestingError";
  readonly code: TestingErrorCode;

  constructor(code: TestingErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
