import { block } from "@hookscope/hooks";
import { callTools, createFakeClock, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, policy, tool } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";

test("a clock that counts from zero gives every span its times, however long the process has run", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    clock: createFakeClock({ startTime: 0 }),
    steps: [callTools([{ name: "shell", input: {} }]), reply("done")],
    tools: [tool("shell")],
    hooks: [policy(() => block("no"), "policy")],
    watch: [],
    watchMods: false,
  });
  await rig.run();
  expect(telemetry.spans().map(({ name, startTime, endTime }) => [name, startTime, endTime])).toEqual([
    ["invoke_agent agent", 0, 0],
    ["chat scripted-model", 0, 0],
    ["execute_tool shell", 0, 0],
    ["pre_tool_call policy", 0, 0],
    ["chat scripted-model", 0, 0],
  ]);
});
