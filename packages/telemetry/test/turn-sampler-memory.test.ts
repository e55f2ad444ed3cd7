import { fork } from "node:child_process";
import { once } from "node:events";

import { expect, test } from "vitest";

const MEGABYTE = 1_048_576;

test("60,000 spans of 1 kB text under 1,000 open turns take no more of the heap than the buffer may, and each is accounted for", async () => {
  const child = fork(new URL("./fixtures/sampler-memory.ts", import.meta.url), ["1000", "60", String(16 * MEGABYTE)], {
    execArgv: ["--conditions=@hookscope/source", "--no-warnings", "--expose-gc"],
  });
  const [{ grown, accountedFor }] = (await once(child, "message")) as [{ grown: number; accountedFor: number }];
  expect(accountedFor).toBe(60_000);
  expect(grown).toBeGreaterThan(MEGABYTE);
  expect(grown).toBeLessThan(16 * MEGABYTE);
});
