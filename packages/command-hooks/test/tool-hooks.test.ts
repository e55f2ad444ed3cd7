import { expect, test } from "vitest";

import { runTurn } from "./run.ts";

test("`tool_hooks` | emitted by the user-hooks mod, before the phase's terminal tool event: `phase`, `lines`, `outcome`", async () => {
  const hooks = (command: string): readonly [{ readonly hooks: readonly [{ type: "command"; command: string }] }] => [
    { hooks: [{ type: "command", command }] },
  ];
  const { events } = await runTurn({
    PreToolUse: hooks("true"),
    PostToolUse: hooks("printf 'first line\\nsecond line' >&2; exit 2"),
  });
  const seen = events.flatMap((event) => {
    if (event.type === "tool_hooks") return [[event.type, event.phase, event.lines, event.outcome]];
    return event.type === "tool_running" || event.type === "tool_completed" ? [[event.type]] : [];
  });
  expect(seen).toEqual([
    ["tool_hooks", "pre", [], "passed"],
    ["tool_running"],
    ["tool_hooks", "post", ["first line", "second line"], "blocked"],
    ["tool_completed"],
  ]);
});
