import { expect, test } from "vitest";

import { conformanceProblems } from "../documents/conformance.ts";
import type { SeedSentence } from "../documents/seed-sentences/types.ts";

const HERE = "scripts/test/conformance.test.ts";

function problemsOf(...sentences: readonly SeedSentence[]): readonly string[] {
  return conformanceProblems([{ title: "a seed", sections: [{ title: "a section", file: HERE, sentences }] }]);
}

test("every sentence of the seeds has a test that exists, or a decision", () => {
  expect(conformanceProblems()).toEqual([]);
});

test("a sentence that is a test's name is proven, and so is the beginning of one", () => {
  expect(problemsOf("a sentence that is a test's name is proven", 'a name in "other" quotes')).toEqual([]);
});

test('a name in "other" quotes counts too', () => {
  expect(problemsOf({ says: "anything", test: 'a name in "other" quotes', in: HERE })).toEqual([]);
});

test("a test that does not exist is a problem, and so is text that is no test", () => {
  expect(problemsOf("no such test", "a seed")).toEqual([
    `"no such test": ${HERE} has no test "no such test"`,
    `"a seed": ${HERE} has no test "a seed"`,
  ]);
});

test("a file or a decision that does not exist is a problem", () => {
  expect(problemsOf({ says: "one", in: "packages/none.test.ts" }, { says: "two", departure: "9999-none.md" })).toEqual([
    '"one": there is no packages/none.test.ts',
    '"two": there is no docs/decisions/9999-none.md',
  ]);
});

test("a sentence that stands twice in a section is a problem", () => {
  const sentence = "a sentence that stands twice in a section is a problem";
  expect(problemsOf(sentence, sentence)).toEqual([`"${sentence}" stands twice under "a section"`]);
});

test("a sentence whose test is to come is none", () => {
  expect(problemsOf({ says: "later", pending: "a further part" })).toEqual([]);
});
