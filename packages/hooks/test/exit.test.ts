import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

/** A real process; it is killed, and the test fails, where it would wait for the bus's limit of 24 days. */
async function run(scenario: string): Promise<string> {
  const script = join(import.meta.dirname, "fixtures/pending.ts");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@hookscope/source", "--no-warnings", script, scenario],
    { timeout: 240_000, killSignal: "SIGKILL" },
  );
  return stdout;
}

test("a process exits while no hook is pending, though the timer of the limit was set", async () => {
  expect(await run("settled")).toBe("done\n");
});

test("a pending hook keeps the process alive until its limit, and its turn goes on", async () => {
  expect(await run("hanging")).toBe("timeout\ndone\n");
});

test("so does one that becomes pending after nothing was", async () => {
  expect(await run("hangingLater")).toBe("timeout\ndone\n");
});
