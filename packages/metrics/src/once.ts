import type { Logger } from "@hookscope/hooks";

/** Warns once per key; what happens again is counted elsewhere. Bounded, because keys may come from outside. */
export class Once {
  readonly #logger: Logger;
  readonly #seen = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** What is over may be said again when it begins anew. */
  forget(key: string): void {
    this.#seen.delete(key);
  }

  warn(key: string, message: string): void {
    if (this.#seen.has(key) || this.#seen.size >= MOST_KEYS) return;
    this.#seen.add(key);
    try {
      this.#logger.warn(message);
    } catch {
      // A logger that throws must not be felt where something is recorded.
    }
  }
}

const MOST_KEYS = 1_000;

export const stderrLogger: Logger = {
  warn: (message) => void process.stderr.write(`[hookscope] ${message}\n`),
};
