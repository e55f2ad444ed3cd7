/** A failure the user can act on: printed as one line, `CODE: what happened and what to do`. */
export class RunError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
