import { defineHook, type HookPoint } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, tool } from "../support/rig.ts";

test.for<HookPoint>(["post_tool_call", "agent_loop_stopped", "on_session_end"])(
  "%s runs after an interrupt in a time of its own: a hook that hangs there holds the turn 60 s, no longer",
  async (point) => {
    const rig = createRig({
      steps: [callTools([{ name: "shell", input: {} }])],
      tools: [tool("shell")],
      watchMods: false,
      watch: [],
      interruptAt: "▶ shell",
      hooks: [defineHook({ name: "hung", on: { [point]: () => new Promise<never>(() => undefined) } })],
    });
    const running = rig.run();
    await rig.clock.advance(59_999);
    expect(rig.log.entries.at(-1)).toBe(`● ${point} hung`);
    await rig.clock.advance(1);
    expect((await running).stopReason).toBe("interrupted");
    expect(rig.log.entries.at(-1)).toBe("→ run_end interrupted");
  },
);

test("a mod's onRunEnd is given a time of its own too", async () => {
  const rig = createRig({
    steps: [reply("hi")],
    watch: [],
    interruptAt: "→ turn_start 1",
    hangAt: "◆ onRunEnd watcher",
  });
  const running = rig.run();
  await rig.clock.advance(59_999);
  expect(rig.log.entries.at(-1)).toBe("◆ onRunEnd watcher");
  await rig.clock.advance(1);
  await running;
  expect(rig.log.from("◆ onRunEnd watcher")).toEqual([
    "◆ onRunEnd watcher",
    "→ mod_error watcher onRunEnd",
    "→ run_end interrupted",
  ]);
});

test("a hook of a closing point that fails does not keep the next ones from their turn", async () => {
  const broken = defineHook({
    name: "broken",
    on: {
      post_llm_call: () => {
        throw new Error("no");
      },
      on_session_end: () => {
        throw new Error("no");
      },
    },
  });
  const rig = createRig({ steps: [reply("hi")], hooks: [broken], watchMods: false });
  await rig.run();
  expect(rig.log.from("■ commit")).toEqual([
    "■ commit",
    "● post_llm_call",
    "● post_llm_call broken",
    "● on_session_end",
    "● on_session_end broken",
    "→ run_end end_turn",
  ]);
});
