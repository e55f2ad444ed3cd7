import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../backends/process.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/*
 * The steps of the Dockerfile, run here where there is no container engine: what COPY names is copied, without what
 * .dockerignore leaves out, and what RUN says is run.
 */
let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let app: string;
let pnpm = "pnpm";

beforeAll(async () => {
  folder = await temporaryDirectory("image");
  app = join(folder.path, "app");
  const [buildStage = ""] = (await readFile(join(root, "Dockerfile"), "utf8")).split(/^FROM /m).slice(1);
  const steps = [...buildStage.replaceAll("\\\n", " ").matchAll(/^(COPY|RUN) (.*)$/gm)];
  const source = join(folder.path, "source");
  for (const [, instruction, text = ""] of steps) {
    if (instruction === "COPY") await copy(text.split(" ").slice(0, -1), source);
    else await execute(text, source);
  }
});
afterAll(() => folder?.remove());

test("what the Dockerfile builds runs the demo in a loop, and serves its metrics to whoever is in its network", async () => {
  const command = ["demo", "--loop", "--every", "1", "--metrics-port", "0", "--metrics-host", "0.0.0.0"];
  const child = spawn(process.execPath, [join(app, "dist/main.mjs"), ...command], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"], HOME: folder.path, HOOKSCOPE_HOME: join(folder.path, "home") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  try {
    const port = await lineWith(child.stderr, /^Metrics: http:\/\/0\.0\.0\.0:(\d+)\/metrics$/);
    expect(await lineWith(child.stdout, /^seed 1 .* (end_turn|error) /)).toMatch(/end_turn|error/);
    const address = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${address}/healthz`)).text()).toBe("ok\n");
    const metrics = await (
      await fetch(`${address}/metrics`, { headers: { accept: "application/openmetrics-text" } })
    ).text();
    expect(metrics).toMatch(/^agent_turns_total\{.*agent="maintainer".*\} 1/m);
  } finally {
    child.kill("SIGINT");
    await ended;
  }
});

async function copy(paths: readonly string[], target: string): Promise<void> {
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...paths], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of stdout.split("\0").filter(Boolean)) {
    // A file that is deleted and not yet committed is still listed.
    await cp(join(root, file), join(target, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}

/** In the image pnpm is installed for all; here it is fetched for the call. */
async function execute(text: string, cwd: string): Promise<void> {
  const version = /npm install --global (pnpm@\S+)/.exec(text)?.[1];
  if (version !== undefined) {
    const tasks = await readFile(join(root, "scripts/tasks.mjs"), "utf8");
    expect(tasks).toContain(`"${version}"`);
    pnpm = `npx --yes ${version}`;
    return;
  }
  const command = text.replaceAll(/\bpnpm /g, `${pnpm} `).replaceAll("/app", app);
  await run("sh", ["-ec", command], { cwd, env: { ...process.env, CI: "true" }, maxBuffer: 64 * 1024 * 1024 });
}

/** The first group of the first line that fits. */
async function lineWith(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  const seen: string[] = [];
  for await (const line of createInterface({ input: stream })) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
    seen.push(line);
  }
  throw new Error(`no line fits ${String(pattern)}:\n${seen.join("\n")}`);
}
