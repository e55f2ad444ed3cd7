import { join } from "node:path";
import { BackendError } from "./error.ts";
import { freePorts } from "./ports.ts";
import { prepareBackend } from "./prepare.ts";
import { launch, temporaryDirectory } from "./process.ts";
import type { BackendName } from "./table.ts";

const ATTEMPTS = 3;

export interface Recipe<Port extends string> {
  readonly backend: BackendName;
  readonly ports: readonly Port[];
  /** `directory` is this run's own, empty, and writable by the program. */
  invocation(ports: Readonly<Record<Port, number>>, directory: string): Promise<Invocation>;
}

export interface Invocation {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Paths outside the run's directory that the program reads. */
  readonly reads?: readonly string[];
  /** Paths outside the run's directory that the program writes. */
  readonly writes?: readonly string[];
  readonly readyUrl: string;
}

export interface Instance<Port extends string> {
  readonly ports: Readonly<Record<Port, number>>;
  /** Both output streams of the program. Gone after `stop`. */
  readonly logFile: string;
  stop(): Promise<void>;
  /** Whether it still runs, and the end of its log: for an error. */
  describe(): string;
}

/** Starts a backend on free loopback ports; takes other ports when somebody else got there first. */
export async function startInstance<Port extends string>(recipe: Recipe<Port>): Promise<Instance<Port>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptStart(recipe);
    } catch (error) {
      if (attempt === ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

async function attemptStart<Port extends string>(recipe: Recipe<Port>): Promise<Instance<Port>> {
  const prepared = await prepareBackend(recipe.backend);
  const directory = await temporaryDirectory(recipe.backend);
  try {
    const ports = await freePorts(recipe.ports);
    const { args, env = {}, reads = [], writes = [], readyUrl } = await recipe.invocation(ports, directory.path);
    const logFile = join(directory.path, `${recipe.backend}.log`);
    const running = await launch({
      name: recipe.backend,
      command: prepared.command({ program: recipe.backend, args, env, reads, writes: [directory.path, ...writes] }),
      env,
      readyUrl,
      logFile,
    });
    return {
      ports,
      logFile,
      describe: () => running.describe(),
      stop: async () => {
        await running.stop();
        await directory.remove();
      },
    };
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

function isPortTaken(error: unknown): boolean {
  return (
    error instanceof BackendError && error.code === "BACKEND_EXITED" && /address already in use/.test(error.message)
  );
}
