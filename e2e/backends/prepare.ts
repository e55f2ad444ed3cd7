import { join } from "node:path";
import { buildBackend, goVersion } from "./go-build.ts";
import { containerArguments, containerEngine, type ContainerRun } from "./container.ts";
import { BackendError } from "./error.ts";
import { BACKENDS, type BackendName } from "./table.ts";

/** A way to run a backend's programs on this machine. */
export interface Prepared {
  /** One line on how it came about: "jaeger: built in 312 s", "jaeger: cached". */
  readonly report: string;
  command(run: Omit<ContainerRun, "backend">): readonly [file: string, ...args: string[]];
}

/** Builds the backend with Go, or falls back to its image; throws BACKEND_UNAVAILABLE where neither can be had. */
export async function prepareBackend(name: BackendName): Promise<Prepared> {
  const backend = BACKENDS[name];
  const go = await goVersion();
  if (go !== undefined) {
    const { directory, seconds } = await buildBackend(backend, go);
    return {
      report: `${name}: ${seconds === undefined ? "cached" : `built in ${Math.round(seconds)} s`}`,
      command: ({ program, args }) => [join(directory, program), ...args],
    };
  }
  const engine = await containerEngine();
  if (engine === undefined) throw new BackendError("BACKEND_UNAVAILABLE", UNAVAILABLE);
  return {
    report: `${name}: image ${backend.image}, by ${engine}`,
    command: (run) => [engine, ...containerArguments({ backend, ...run })],
  };
}

/** Whether this machine can run backends at all. */
export async function canPrepare(): Promise<boolean> {
  return (await goVersion()) !== undefined || (await containerEngine()) !== undefined;
}

export const UNAVAILABLE: string =
  "the end-to-end checks need Go 1.26.7 or newer, or a container engine that runs (docker, podman); this machine has neither";
