import { describeThrown } from "./describe-thrown.ts";

/** Takes a registration away again. A second call does nothing. */
export type Dispose = () => void;

/** Registrations, and how to take them away: once each, the last one first. */
export class Ledger {
  readonly #entries = new Set<Dispose>();
  #isDisposed = false;

  /** What is registered from then on would never be taken away. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add(dispose: Dispose): Dispose {
    const once = (): void => {
      if (this.#entries.delete(once)) dispose();
    };
    this.#entries.add(once);
    return once;
  }

  /** All are taken away, whatever one of them throws. @returns what they threw */
  dispose(): readonly Error[] {
    this.#isDisposed = true;
    const errors: Error[] = [];
    for (const dispose of [...this.#entries].toReversed()) {
      try {
        dispose();
      } catch (error) {
        errors.push(error instanceof Error ? error : new Error(describeThrown(error)));
      }
    }
    return errors;
  }
}
