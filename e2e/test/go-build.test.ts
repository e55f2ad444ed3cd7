import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildBackend, goVersion } from "../backends/go-build.ts";
import { temporaryDirectory } from "../backends/process.ts";
import type { Backend } from "../backends/table.ts";

const version = (await goVersion()) ?? "none";
// Go's own cache moves with XDG_CACHE_HOME too, unless it is named.
const goCache = execFileSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).trim();
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let backend: Backend;

beforeEach(async () => {
  directory = await temporaryDirectory("go-build");
  vi.stubEnv("XDG_CACHE_HOME", join(directory.path, "cache"));
  vi.stubEnv("GOCACHE", goCache);
  const source = join(directory.path, "source");
  await mkdir(source);
  await writeFile(join(source, "go.mod"), "module hello\n\ngo 1.25.0\n");
  await writeSource(source, "hello");
  backend = { name: "jaeger", directory: source, programs: { hello: "." }, tags: [], image: "none" };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await directory.remove();
});

test("a program is built once, outside the checkout, and nothing else is left behind", async () => {
  const first = await buildBackend(backend, version);
  const second = await buildBackend(backend, version);
  expect([typeof first.seconds, second]).toEqual(["number", { directory: first.directory }]);
  expect(execFileSync(join(first.directory, "hello"), { encoding: "utf8" })).toBe("hello\n");
  expect(await cached()).toEqual([first.directory]);
});

test("of two builds at the same time one builds and one waits for it", async () => {
  const both = await Promise.all([buildBackend(backend, version), buildBackend(backend, version)]);
  expect(both.filter(({ seconds }) => seconds !== undefined).length).toBe(1);
  expect(await cached()).toEqual([both[0].directory]);
});

test("a changed source and a changed Go are built anew", async () => {
  const first = await buildBackend(backend, version);
  await writeSource(backend.directory, "good-bye");
  const second = await buildBackend(backend, version);
  const third = await buildBackend(backend, `${version} again`);
  expect(new Set([first.directory, second.directory, third.directory]).size).toBe(3);
  expect(execFileSync(join(second.directory, "hello"), { encoding: "utf8" })).toBe("good-bye\n");
});

test("the lock of a build that died is taken over", async () => {
  const { directory: built } = await buildBackend(backend, version);
  await rm(built, { recursive: true });
  await writeFile(`${built}.lock`, "1\n");
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await utimes(`${built}.lock`, aMinuteAgo, aMinuteAgo);
  expect(await buildBackend(backend, version)).toEqual({ directory: built, seconds: expect.any(Number) as number });
  expect(await cached()).toEqual([built]);
});

test("source that does not compile is BACKEND_BUILD_FAILED with the compiler's words, and leaves nothing", async () => {
  await writeFile(join(backend.directory, "main.go"), "package main\n\nfunc main() { missing() }\n");
  await expect(buildBackend(backend, version)).rejects.toMatchObject({
    code: "BACKEND_BUILD_FAILED",
    message: expect.stringContaining("undefined: missing") as string,
  });
  expect(await cached()).toEqual([]);
});

function writeSource(folder: string, text: string): Promise<void> {
  const source = `package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("${text}") }\n`;
  return writeFile(join(folder, "main.go"), source);
}

async function cached(): Promise<readonly string[]> {
  const folder = join(directory.path, "cache", "hookscope", "backends");
  return (await readdir(folder)).map((name) => join(folder, name));
}
