import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { prepareBackend } from "./prepare.ts";
import type { BackendName } from "./table.ts";

export interface ToolRun {
  readonly backend: BackendName;
  /** One of the backend's programs, such as `promtool`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Paths that the program reads. */
  readonly reads?: readonly string[];
}

export interface ToolResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of a backend's programs to its end: `promtool check rules`, `amtool check-config`, `collector validate`. */
export async function runTool({ backend, program, args, env = {}, reads = [] }: ToolRun): Promise<ToolResult> {
  const prepared = await prepareBackend(backend);
  const [file, ...rest] = prepared.command({ program, args, env, reads, writes: [] });
  const child = spawn(file, rest, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { exitCode, stdout, stderr };
}
