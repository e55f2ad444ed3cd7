import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stepsOf } from "../tasks.mjs";

test("the arguments of a task go to its last step", () => {
  expect(stepsOf("start", ["--exit"])).toEqual([
    ["node", "--conditions=@hookscope/source", "packages/hookscope/src/main.ts", "demo", "--exit"],
  ]);
});

test.for([
  [undefined, "no task was named"],
  ["tset", 'there is no task "tset"'],
  ["toString", 'there is no task "toString"'],
] as const)("task %s is refused with the list of tasks", ([name, problem]) => {
  expect(() => stepsOf(name, [])).toThrow(
    expect.objectContaining({
      code: "RUN_TASK_UNKNOWN",
      message: expect.stringMatching(
        new RegExp(`^${problem}\\. The tasks are:\\n  start .*\\n  hookscope .*\\n  test `),
      ),
    }),
  );
});

test("every script of package.json is a task, run in place of its shell", () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  for (const [name, command] of Object.entries(scripts)) {
    expect(command).toBe(`exec node scripts/run.mjs ${name}`);
    expect(stepsOf(name, [])).not.toEqual([]);
  }
});
