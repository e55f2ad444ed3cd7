/** Where warnings go. `fields` are for machines; the message alone is a whole sentence. */
export interface Logger {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

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

  warn(key: string, message: string, fields?: Readonly<Record<string, unknown>>): void {
    if (this.#seen.has(key)) return;
    if (this.#seen.size >= MAX_KEYS) return;
    this.#seen.add(key);
    try {
      this.#logger.warn(message, fields);
    } catch {
      // A logger that throws must not be felt by the agent; what it would have said is counted by the caller.
    }
  }
}

/** Keys come from registered hooks, so this is never reached but by registering without end. */
const MAX_KEYS = 10_000;
