import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { BackendError } from "./error.ts";
import { withLock } from "./lock.ts";
import type { GoBuild } from "./table.ts";

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
export async function buildBackend(backend: GoBuild, version: string): Promise<Built> {
  const directory = join(cacheRoot(), `${backend.name}-${await fingerprint(backend, version)}`);
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

async function fingerprint(backend: GoBuild, version: string): Promise<string> {
  const hash = createHash("sha256").update(
    JSON.stringify([version, backend.programs, backend.tags, backend.completed]),
  );
  const sources = (await readdir(backend.directory)).filter((file) => /\.go$|^go\.(mod|sum)$/.test(file));
  for (const file of sources.toSorted()) {
    hash.update(`\0${file}\0`).update(await readFile(join(backend.directory, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** All programs appear together, by one rename, or none does. */
async function compile(backend: GoBuild, directory: string): Promise<void> {
  const unfinished = await mkdtemp(`${directory}.unfinished-`);
  let source = backend.directory;
  try {
    if (backend.completed) source = await completedCopy(backend, backend.completed);
    for (const [program, goPackage] of Object.entries(backend.programs)) {
      await go(source, buildArguments(backend, join(unfinished, program), goPackage));
    }
    await rename(unfinished, directory).catch(async (error: unknown) => {
      // Another build got there first.
      if (!(await exists(directory))) throw error;
    });
  } catch (error) {
    const output = (error as { stderr?: string }).stderr?.trim().slice(-4000) ?? String(error);
    throw new BackendError("BACKEND_BUILD_FAILED", `go build of ${backend.name} failed:\n${output}`, { cause: error });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    if (source !== backend.directory) await rm(source, { recursive: true, force: true });
  }
}

/** The module cache is read-only and verified, so the missing files go into a copy. */
async function completedCopy(backend: GoBuild, { module, files }: NonNullable<GoBuild["completed"]>): Promise<string> {
  const downloaded = await go(backend.directory, ["mod", "download", "-json", module]);
  const { Dir } = JSON.parse(downloaded) as { readonly Dir: string };
  const copy = await mkdtemp(join(tmpdir(), `hookscope-${backend.name}-source-`));
  await cp(Dir, copy, { recursive: true });
  await run("chmod", ["-R", "u+w", copy]);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), content);
  }
  return copy;
}

async function go(cwd: string, args: readonly string[]): Promise<string> {
  // A workspace file above the checkout must not change what is pinned here.
  const env = { ...process.env, GOWORK: "off" };
  return (await run("go", [...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

function buildArguments(backend: GoBuild, output: string, goPackage: string): string[] {
  const tags = backend.tags.length > 0 ? [`-tags=${backend.tags.join(",")}`] : [];
  return ["build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", ...tags, "-o", output, goPackage];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
