import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

import { isTimestamp } from "./timestamp.ts";

/** Who has a session open. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, as the system says it: a later process may get the same pid. Absent where it cannot be told. */
  readonly started?: string;
  /** Milliseconds since the epoch: when the session was opened. */
  readonly since: number;
  /** Sets apart what one process opens. */
  readonly token: string;
}

export function createHolder(): Holder {
  const { started } = lookUp(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    ...(started === undefined ? {} : { started }),
    since: Date.now(),
    token: crypto.randomUUID(),
  };
}

export function decodeHolder(json: string): Holder | undefined {
  try {
    const value = JSON.parse(json) as Partial<Holder> | null;
    const fits =
      Number.isInteger(value?.pid) &&
      Number(value?.pid) > 0 &&
      typeof value?.host === "string" &&
      isTimestamp(value.since) &&
      typeof value.token === "string";
    return fits ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the holder may still be there. A process of another machine cannot be seen from here, and counts as alive. */
export function mayBeAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  const { isAlive, started } = lookUp(holder.pid);
  return isAlive && (started === undefined || holder.started === undefined || started === holder.started);
}

/** For an error: who it is, and what to do. */
export function describeHolder(holder: Holder): string {
  const since = new Date(holder.since).toISOString();
  if (holder.host !== hostname()) {
    return `it is open since ${since} in process ${holder.pid} on ${holder.host}, which cannot be seen from here`;
  }
  if (holder.pid === process.pid) return `it is open since ${since} in this process. Close it there first`;
  return `it is open since ${since} in process ${holder.pid}. Close it there, or end that process`;
}

function lookUp(pid: number): { readonly isAlive: boolean; readonly started?: string } {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return { isAlive: false };
  }
  if (process.platform === "linux") return lookUpOnLinux(pid);
  if (process.platform === "win32") return { isAlive: true };
  try {
    // In one time zone and language, whatever those of the two processes are.
    const env = { TZ: "UTC", LC_ALL: "C" };
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env }).trim();
    return started === "" ? { isAlive: true } : { isAlive: true, started };
  } catch {
    return { isAlive: true };
  }
}

const STATE_FIELD = 0;
const START_TIME_FIELD = 19;

function lookUpOnLinux(pid: number): { readonly isAlive: boolean; readonly started?: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const state = fields[STATE_FIELD];
    if (state === "Z" || state === "X") return { isAlive: false };
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return { isAlive: true, started: `${boot} ${fields[START_TIME_FIELD]}` };
  } catch {
    return { isAlive: true };
  }
}
