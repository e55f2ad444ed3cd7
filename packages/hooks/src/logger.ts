/** Where warnings go. `fields` are for machines; the message alone is a whole sentence. */
export interface Logger {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Writes to the console. */
export const consoleLogger: Logger = {
  warn: (message) => console.warn(`[hookscope] ${message}`),
};

/** Warns once per key; what happens again is counted elsewhere. */
export class OnceLogger {
  readonly #logger: Logger;
  readonly #seen = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** A logger that throws or rejects is not felt by the agent; what it would have said is counted by the caller. */
  warn(key: string, message: string, fields?: Readonly<Record<string, unknown>>): void {
    if (this.#seen.has(key) || this.#seen.size >= MAX_KEYS) return;
    this.#seen.add(key);
    callSafely((text) => this.#logger.warn(text, fields), message, ignore);
  }
}

/** Keys come from registered hooks, so this is never reached but by registering without end. */
const MAX_KEYS = 10_000;

/** Calls what somebody else wrote and whose result nobody waits for. What it throws, at once or later, goes to `failed`. */
export function callSafely<Argument>(
  call: (argument: Argument) => unknown,
  argument: Argument,
  failed: (error: unknown) => void,
): void {
  try {
    const returned = call(argument);
    if (returned instanceof Promise) returned.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

function ignore(): void {}
