import { readFile } from "node:fs/promises";

/** Waits for it: the kernel takes a moment to end a process, and its new parent to bury it. */
export async function isGone(id: number): Promise<boolean> {
  if (!(id > 1)) return false;
  while (await isRunning(id)) await new Promise(setImmediate);
  return true;
}

async function isRunning(id: number): Promise<boolean> {
  try {
    process.kill(id, 0);
  } catch {
    return false;
  }
  // Without an init process nobody buries it: dead all the same.
  const status = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
  return !/\) Z /.test(status);
}
