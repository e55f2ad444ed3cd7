import { readFileSync } from "node:fs";
import { join } from "node:path";

import { reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { folder, runTurn, script } from "./run.ts";

test("once a Stop command kept a turn going, every Stop command is told so, until the turn is over", async () => {
  const cwd = folder();
  const tell = (name: string, then = ""): { readonly type: "command"; readonly command: string } => ({
    type: "command",
    command: script(
      cwd,
      `(await import("node:fs")).appendFileSync("told", "${name} " + input.stop_hook_active + "\\n"); ${then}`,
    ),
  });
  const first = tell("first", `if (!input.stop_hook_active) console.log('{"decision":"block","reason":"go on"}');`);
  const hooks = { Stop: [{ hooks: [first, tell("second")] }] };
  const { result, model } = await runTurn(hooks, {
    cwd,
    steps: [reply("one"), reply("two"), reply("three"), reply("four")],
  });
  expect([result.finalText, model.requests.length]).toEqual(["two", 2]);
  expect(readFileSync(join(cwd, "told"), "utf8")).toBe("first false\nfirst true\nsecond true\n");
});
