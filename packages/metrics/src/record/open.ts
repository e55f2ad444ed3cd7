/** More turns than run at once anywhere: a turn that never ends must not hold memory for ever. */
const MOST = 10_000;

/** What is open and has to be remembered until it ends; bounded, the oldest goes first. */
export class Open<Value> {
  readonly #values = new Map<string, Value>();

  get size(): number {
    return this.#values.size;
  }

  start(id: string, value: Value): void {
    this.#values.set(id, value);
    if (this.#values.size <= MOST) return;
    const oldest = this.#values.keys().next();
    if (oldest.done !== true) this.#values.delete(oldest.value);
  }

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  end(id: string): Value | undefined {
    const value = this.#values.get(id);
    this.#values.delete(id);
    return value;
  }

  entries(): Iterable<readonly [id: string, value: Value]> {
    return this.#values.entries();
  }
}
