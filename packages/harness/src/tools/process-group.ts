const running = new Set<number>();

/** A child and whatever it starts, as long as that does not leave the group. POSIX only. */
export class ProcessGroup {
  readonly #id: number;

  /** @param id the process id of a child that was started as the leader of its own group */
  constructor(id: number) {
    this.#id = id;
    if (running.size === 0) process.on("exit", killAll);
    running.add(id);
  }

  signal(signal: NodeJS.Signals): void {
    sendSignal(this.#id, signal);
  }

  get isAlive(): boolean {
    return sendSignal(this.#id, 0);
  }

  /** Its members are none of ours any more: they ended, or were told to. */
  release(): void {
    running.delete(this.#id);
    if (running.size === 0) process.off("exit", killAll);
  }
}

/** A process of its own group does not get the terminal's signals, and would outlive this one. */
function killAll(): void {
  for (const id of running) sendSignal(id, "SIGKILL");
}

function sendSignal(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-id, signal);
  } catch {
    return false;
  }
}
