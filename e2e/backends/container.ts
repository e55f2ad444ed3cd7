import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Backend } from "./table.ts";

const run = promisify(execFile);

/** The first container engine whose daemon answers, or undefined. */
export async function containerEngine(): Promise<string | undefined> {
  for (const engine of ["docker", "podman"]) {
    const answers = await run(engine, ["info"], { timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (answers) return engine;
  }
  return undefined;
}

export interface ContainerRun {
  readonly backend: Backend;
  readonly program: string;
  readonly args: readonly string[];
  /** Variables the program sees. */
  readonly env: Readonly<Record<string, string>>;
  /** Host paths the program reads. They have the same path inside. */
  readonly reads: readonly string[];
  /** Host paths the program writes. They have the same path inside. */
  readonly writes: readonly string[];
}

/**
 * Arguments for the engine, so that the program behaves like the built one: the host's network, the caller's
 * user, the same paths. Ends with the engine's client, and leaves nothing behind.
 */
export function containerArguments(container: ContainerRun): string[] {
  const { backend, program, args, env, reads, writes } = container;
  const user = process.getuid && process.getgid ? [`--user=${process.getuid()}:${process.getgid()}`] : [];
  return [
    "run",
    "--rm",
    "--network=host",
    ...user,
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    ...reads.map((path) => `--volume=${path}:${path}:ro`),
    ...writes.map((path) => `--volume=${path}:${path}`),
    `--entrypoint=${ENTRYPOINTS[program] ?? program}`,
    backend.image,
    ...args,
  ];
}

/** Where an image keeps a program that is not on its PATH. */
const ENTRYPOINTS: Readonly<Record<string, string>> = {
  jaeger: "/cmd/jaeger/jaeger-linux",
  collector: "/otelcol-contrib",
  prometheus: "/bin/prometheus",
  promtool: "/bin/promtool",
  alertmanager: "/bin/alertmanager",
  amtool: "/bin/amtool",
};
