const last = new Map<string, Promise<unknown>>();

/** Runs what reads and then writes one file after what else does in this process: parallel edits are not lost. */
export async function withFileLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const before = last.get(path) ?? Promise.resolve();
  const mine = before.then(work);
  const settled = mine.then(ignore, ignore);
  last.set(path, settled);
  try {
    return await mine;
  } finally {
    if (last.get(path) === settled) last.delete(path);
  }
}

function ignore(): void {}
