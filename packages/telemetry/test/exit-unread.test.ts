import { fork } from "node:child_process";
import { once } from "node:events";

import { expect, onTestFinished, test } from "vitest";

test("a process whose output nobody reads any more ends, whatever it still writes", async () => {
  const child = fork(new URL("fixtures/unread.ts", import.meta.url), {
    execArgv: ["--conditions=@hookscope/source", "--no-warnings"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.send("write");
  const [code] = (await once(child, "exit")) as [number | null];
  expect(code).not.toBe(0);
});
