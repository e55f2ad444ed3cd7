import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { containerEngine } from "./container.ts";
import { buildBackend, goVersion } from "./go-build.ts";
import type { GoBuild } from "./table.ts";

const run = promisify(execFile);

/** The loader that `docker compose` uses: it checks a file by the Compose specification's schema, and resolves it. */
const LOADER: GoBuild = {
  name: "compose",
  directory: join(import.meta.dirname, "compose"),
  programs: { compose: "github.com/compose-spec/compose-go/v2/cmd" },
  tags: [],
};

export interface ComposeService {
  readonly image?: string;
  readonly build?: object;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports?: readonly { readonly host_ip?: string; readonly published: string; readonly target: number }[];
  readonly volumes?: readonly { readonly type: string; readonly source: string; readonly target: string }[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
}

export interface ComposeModel {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, object>>;
}

/** Builds the loader where Go is there to do it; else an engine brings its own. */
export async function prepareCompose(): Promise<void> {
  const go = await goVersion();
  if (go !== undefined) await buildBackend(LOADER, go);
}

/** A compose file, checked and resolved, services of all profiles included. Rejects with the loader's words. */
export async function composeModel(file: string, env: Readonly<Record<string, string>> = {}): Promise<ComposeModel> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
  const go = await goVersion();
  if (go === undefined) {
    const engine = (await containerEngine()) ?? "docker";
    const { stdout } = await run(
      engine,
      ["compose", "--file", file, "--profile=*", "config", "--format=json"],
      options,
    );
    return JSON.parse(stdout) as ComposeModel;
  }
  const { directory } = await buildBackend(LOADER, go);
  const { stdout } = await run(join(directory, "compose"), ["-format=json", file], options);
  return JSON.parse(stdout) as ComposeModel;
}
