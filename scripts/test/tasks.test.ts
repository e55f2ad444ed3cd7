import { expect, test } from "vitest";
import { stepsOf } from "../tasks.mjs";

test("the arguments of a task go to its last step", () => {
  expect(stepsOf("start", ["--exit"])).toEqual([
    ["node", "--conditions=@hookscope/source", "packages/hookscope/src/main.ts", "demo", "--exit"],
  ]);
});
