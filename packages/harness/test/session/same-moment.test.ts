import { afterEach, beforeEach, expect, test } from "vitest";

import { Child } from "./child.ts";
import { makeDirectory, removeDirectory } from "./places.ts";

let directory: string;
let makers: readonly Child[];
beforeEach(() => {
  directory = makeDirectory();
  makers = [1, 2, 3].map(() => new Child("make-databases.ts", directory));
});
afterEach(async () => {
  for (const maker of makers) await maker.kill();
  removeDirectory(directory);
});

test("processes that make the same databases of sessions at the same moment all get them", async () => {
  await Promise.all(makers.map((maker) => maker.message(0)));
  await Promise.all(makers.map((maker) => maker.go()));
  const answers = await Promise.all(makers.map((maker) => maker.message(1)));
  expect(answers.map((answer) => answer?.failures)).toEqual([[], [], []]);
});
