import { fork, type ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

import { afterEach } from "vitest";

import type { OtlpSink } from "./otlp-sink.ts";

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly ended: Promise<Ended>;
}

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Limits that no load of the machine reaches. */
const HOUR_MS = 3_600_000;
const LONG = { OTEL_EXPORTER_OTLP_TIMEOUT: String(HOUR_MS), OTEL_BSP_EXPORT_TIMEOUT: String(HOUR_MS) };

interface Limits {
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A process with an open turn that ends in the way that `fixtures/exit.ts` has for this word. */
export function run(sink: OtlpSink, way: string, { timeoutMs = HOUR_MS, env = {} }: Limits = {}): Running {
  const child = fork(new URL("../fixtures/exit.ts", import.meta.url), [way, String(timeoutMs)], {
    execArgv: ["--conditions=@hookscope/source", "--no-warnings"],
    env: { PATH: process.env["PATH"] ?? "", OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint, ...LONG, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  children.push(child);
  const output = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const ready = Promise.race([once(child, "message"), once(child, "exit")]);
  const ended = once(child, "exit").then(async ([code, signal]: unknown[]): Promise<Ended> => {
    const [stdout, stderr] = await output;
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr };
  });
  return { child, ready, ended };
}

function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? Promise.resolve("") : text(stream);
}

/** Until the child has dealt with the signal it was sent: it answers what comes after. */
export async function signalled(child: ChildProcess): Promise<void> {
  child.send("there?");
  for await (const [message] of on(child, "message")) if (message === "here") return;
}
