/**
 * Listeners of an event of the process that are the program's own: without `ours`, and without those of the package
 * signal-exit. Those ones act only where nobody else listens, so they must not count as somebody who ends the process.
 */
export function foreignListeners(event: string, ours: (...args: never[]) => void): number {
  const listeners = process.listeners(event as NodeJS.Signals).filter((listener) => listener !== ours).length;
  return event === "uncaughtException" ? listeners : Math.max(0, listeners - signalExitListeners());
}

/** signal-exit keeps one record for all its copies, version 3 one and version 4 another, with its listeners on each signal. */
function signalExitListeners(): number {
  const version3: unknown = Reflect.get(process, "__signal_exit_emitter__");
  const version4: unknown = Reflect.get(globalThis, Symbol.for("signal-exit emitter"));
  return countOf(version3) + countOf(version4);
}

function countOf(record: unknown): number {
  if (typeof record !== "object" || record === null || !("count" in record)) return 0;
  return typeof record.count === "number" ? record.count : 0;
}
