import type { Telemetry } from "@hookscope/telemetry";

import type { Terminal } from "./terminal.ts";

/** What ends a turn early. */
export interface Interruptible {
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
}

/**
 * Does work that an interrupt ends properly: the first SIGINT, or the end of the process, aborts it and waits for it; a
 * second SIGINT ends the process.
 */
export async function interruptible<Value>(
  terminal: Terminal,
  telemetry: Telemetry,
  work: (context: Interruptible) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const interrupt = (): void => {
    stopListening();
    // The terminal shows `^C` and stays on that line.
    if (terminal.errors.isTTY === true) terminal.errors.write("\n");
    controller.abort(new Error("interrupted by the user"));
  };
  const stopListening = terminal.onInterrupt(interrupt);
  const working = work({ signal: controller.signal, interrupt });
  const removeExit = telemetry.onExit(async () => {
    interrupt();
    await Promise.allSettled([working]);
  });
  try {
    return await working;
  } finally {
    stopListening();
    removeExit();
  }
}
