/** Thrown inside a turn where an await was cut short by the turn's signal; never leaves the turn. */
export class Interruption extends Error {
  override readonly name = "Interruption";
}

/**
 * Has hooks told of something whose end they are told of on every path: an interrupt among them comes into effect after the
 * announcement. What is interrupted already is not announced.
 *
 * @throws Interruption
 */
export async function announce(tell: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new Interruption();
  try {
    await tell();
  } catch (thrown) {
    if (!(thrown instanceof Interruption)) throw thrown;
  }
}

/**
 * Begins work and waits for it, but not past the signal: an interrupt must not wait for foreign code. What is interrupted
 * already is not begun.
 *
 * @throws Interruption, or what the work throws
 */
export async function untilAborted<Value>(
  begin: () => Value | PromiseLike<Value>,
  signal: AbortSignal,
): Promise<Value> {
  if (signal.aborted) throw new Interruption();
  const work = begin();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Interruption());
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    // It may have fired while the work began.
    if (signal.aborted) throw new Interruption();
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
    ignoreRejection(work);
  }
}

/** What nobody waits for any more must not become an unhandled rejection. */
function ignoreRejection(work: unknown): void {
  if (work instanceof Promise) work.catch(() => undefined);
}
