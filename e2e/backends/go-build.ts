import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { BackendError } from "./error.ts";
import { withLock } from "./lock.ts";
import type { Backend } from "./table.ts";

const run = promisify(execFile);

export interface Built {
  /** Folder that holds one executable per program of the backend. */
  readonly directory: string;
  /** How long the build took; undefined where the cache had it. */
  readonly seconds?: number;
}

/** The installed Go's version, or undefined where there is none. */
export async function goVersion(): Promise<string | undefined> {
  try {
    return (await run("go", ["env", "GOVERSION", "GOOS", "GOARCH"])).stdout.trim().replaceAll("\n", " ");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Builds the backend's programs from its pinned Go module, once per version, sources and Go: the result lies
 * outside the checkout, under `$XDG_CACHE_HOME/hookscope/backends` (`~/.cache` unless set).
 */
export async function buildBackend(backend: Backend, go: string): Promise<Built> {
  const directory = join(cacheRoot(), `${backend.name}-${await fingerprint(backend, go)}`);
  if (await exists(directory)) return { directory };
  return withLock(`${directory}.lock`, async () => {
    if (await exists(directory)) return { directory };
    const started = performance.now();
    await compile(backend, directory);
    return { directory, seconds: (performance.now() - started) / 1000 };
  });
}

function cacheRoot(): string {
  // The specification of XDG_CACHE_HOME has empty mean unset.
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "hookscope", "backends");
}

async function fingerprint(backend: Backend, go: string): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([go, backend.programs, backend.tags]));
  const sources = (await readdir(backend.directory)).filter((file) => /\.go$|^go\.(mod|sum)$/.test(file));
  for (const file of sources.toSorted()) {
    hash.update(`\0${file}\0`).update(await readFile(join(backend.directory, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** All programs appear together, by one rename, or none does. */
async function compile(backend: Backend, directory: string): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  try {
    for (const [program, source] of Object.entries(backend.programs)) {
      await run("go", buildArguments(backend, join(unfinished, program), source), {
        cwd: backend.directory,
        // A workspace file above the checkout must not change what is pinned here.
        env: { ...process.env, GOWORK: "off" },
        maxBuffer: 64 * 1024 * 1024,
      });
    }
    await rename(unfinished, directory);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const output = (error as { stderr?: string }).stderr?.trim().slice(-4000) ?? String(error);
    throw new BackendError("BACKEND_BUILD_FAILED", `go build of ${backend.name} failed:\n${output}`, { cause: error });
  }
}

function buildArguments(backend: Backend, output: string, source: string): string[] {
  const tags = backend.tags.length > 0 ? [`-tags=${backend.tags.join(",")}`] : [];
  return ["build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", ...tags, "-o", output, source];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
