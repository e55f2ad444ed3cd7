import type { ServerResponse } from "node:http";

/** The answers that are not sent yet. */
export class Running {
  readonly #responses = new Set<ServerResponse>();
  #ended: (() => void) | undefined;

  add(response: ServerResponse): void {
    this.#responses.add(response);
    response.once("close", () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) this.#ended?.();
    });
  }

  /** When all are sent or given up by whoever asked, or after this time. */
  async end(limitMs: number): Promise<void> {
    if (this.#responses.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = resolve;
    const timer = setTimeout(resolve, limitMs);
    await promise;
    clearTimeout(timer);
  }
}
