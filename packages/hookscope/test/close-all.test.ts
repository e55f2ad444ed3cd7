import { expect, test } from "vitest";

import { closeAll } from "../src/close-all.ts";

test("what was opened is closed, the last first, also after one that fails; the first failure is thrown", async () => {
  const closed: string[] = [];
  const close = (name: string, error?: Error) => async (): Promise<void> => {
    closed.push(name);
    await Promise.resolve();
    if (error !== undefined) throw error;
  };
  const open = [close("recording", new Error("later")), close("metrics"), close("session", new Error("disk full"))];
  await expect(closeAll(open)).rejects.toThrow("disk full");
  expect(closed).toEqual(["session", "metrics", "recording"]);
});
