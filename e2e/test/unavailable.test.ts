import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prepareBackend } from "../backends/prepare.ts";
import { temporaryDirectory } from "../backends/process.ts";

let bin: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  bin = await temporaryDirectory("bin");
  vi.stubEnv("PATH", bin.path);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await bin.remove();
});

const root = join(import.meta.dirname, "../..");
const runAll = ["node_modules/vitest/vitest.mjs", "run", "--config", "e2e/vitest.config.ts"];

test("without Go and without a container engine, preparing says so", async () => {
  expect(await run(["e2e/backends/build.ts", "jaeger"])).toEqual({
    exitCode: 1,
    said: expect.stringMatching(/^BACKEND_UNAVAILABLE: .*this machine has neither\n$/) as string,
  });
});

test("the checks then say that they did not run, and in CI they fail", async () => {
  const said = expect.stringContaining("BACKEND_UNAVAILABLE: ") as string;
  expect(await run(runAll, { CI: "" })).toEqual({ exitCode: 0, said });
  expect(await run(runAll, { CI: "true" })).toEqual({ exitCode: 1, said });
});

// The engine is a stand-in that only says it is there: where these tests run, Go is what builds the backends.
test("without Go, a container engine runs the pinned image on the host's network, as the caller, with the same paths", async () => {
  await writeFile(join(bin.path, "podman"), "#!/bin/sh\nexit 0\n");
  await chmod(join(bin.path, "podman"), 0o755);
  const prepared = await prepareBackend("prometheus");
  expect(prepared.report).toBe("prometheus: image prom/prometheus:v3.16.0, by podman");
  const command = prepared.command({
    program: "promtool",
    args: ["check", "rules", "/rules/a.yml"],
    env: { A: "1" },
    reads: ["/rules"],
    writes: ["/data"],
  });
  expect(command).toEqual([
    "podman",
    "run",
    "--rm",
    "--network=host",
    `--user=${process.getuid?.()}:${process.getgid?.()}`,
    "--env=A=1",
    "--volume=/rules:/rules:ro",
    "--volume=/data:/data",
    "--entrypoint=/bin/promtool",
    "prom/prometheus:v3.16.0",
    "check",
    "rules",
    "/rules/a.yml",
  ]);
});

function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ exitCode: number | string; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env: { ...process.env, ...env } }, (error, _stdout, stderr) =>
      resolve({ exitCode: error?.code ?? 0, said: stderr }),
    );
  });
}
