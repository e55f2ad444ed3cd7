/** A failure the user can act on, printed as `CODE: what happened and what to do`. */
export class RunError extends Error {
  /**
   * @param {string} code stable, RUN_…
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * The code of a system error ("ENOENT"), if it has one.
 * @param {unknown} error
 */
export function codeOf(error) {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
