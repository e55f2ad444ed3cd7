import { expect, test } from "vitest";

import { createAxis } from "../../src/timeline/axis.ts";
import { compact, count, dollars, duration } from "../../src/timeline/format.ts";
import { covered, subtract, union } from "../../src/timeline/intervals.ts";
import { fit, fitRight, printable, shorten, wrap } from "../../src/timeline/text.ts";

test.for([
  [0, "0 ms"],
  [0.04, "<0.1 ms"],
  [0.42, "0.4 ms"],
  [9.96, "10 ms"],
  [999.4, "999 ms"],
  [999.6, "1.00 s"],
  [9_994, "9.99 s"],
  [42_060, "42.1 s"],
  [59_960, "1m 00s"],
  [187_000, "3m 07s"],
  [7_500_000, "2h 05m"],
  [-5, "0 ms"],
  [Number.NaN, "0 ms"],
] as const)("%f milliseconds read %s", ([milliseconds, text]) => {
  expect(duration(milliseconds)).toBe(text);
});

test("counts, large numbers and money are short", () => {
  expect([count(1, "call"), count(2, "call"), count(0, "entry", "entries")]).toEqual([
    "1 call",
    "2 calls",
    "0 entries",
  ]);
  expect([950, 1234, 9_949, 34_400, 999_600, 1_200_000].map(compact)).toEqual([
    "950",
    "1.2k",
    "9.9k",
    "34k",
    "1.0M",
    "1.2M",
  ]);
  expect([0, 0.0123, 1.2].map(dollars)).toEqual(["$0.00", "$0.0123", "$1.20"]);
});

test("long text is shortened in the middle, by columns", () => {
  expect(shorten("approval_policy", 9)).toBe("appr…licy");
  expect(shorten("漢字漢字漢字", 7)).toBe("漢…字");
  expect([fit("ab", 4), fitRight("ab", 4), fit("abcdef", 4), shorten("abc", 0)]).toEqual(["ab  ", "  ab", "ab…f", ""]);
});

test("text is wrapped at spaces; what is left over ends in an ellipsis", () => {
  expect(wrap("one two three four", 9, 3)).toEqual(["one two", "three", "four"]);
  expect(wrap("one two three four", 9, 2)).toEqual(["one two", "three fo…"]);
  expect(wrap("abcdefghij", 4, 3)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrap("  ", 4, 3)).toEqual([]);
});

test("a text of a megabyte is wrapped and shortened as a short one is, in as many steps as it has lines", () => {
  const word = "word ";
  const lines = wrap(word.repeat(200_000), 79, Infinity);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    12_500,
    word.repeat(16).trimEnd(),
    word.repeat(16).trimEnd(),
  ]);
  expect(shorten(`${"a".repeat(500_000)}${"b".repeat(500_000)}`, 7)).toBe("aaa…bbb");
  expect(wrap("\u200B".repeat(100_000), 4, Infinity).join("")).toBe("\u200B".repeat(100_000));
});

test("control characters are shown, escape sequences taken out", () => {
  expect(printable("a\u001B]0;title\u0007b\u0000\u009Fc\td\uD800")).toBe("ab\u2400\uFFFDc d\uFFFD");
});

test("intervals join, subtract and add up", () => {
  expect(
    union([
      [5, 7],
      [0, 2],
      [1, 3],
    ]),
  ).toEqual([
    [0, 3],
    [5, 7],
  ]);
  expect(
    subtract(
      [0, 10],
      [
        [2, 3],
        [8, 12],
        [-4, 1],
      ],
    ),
  ).toEqual([
    [1, 2],
    [3, 8],
  ]);
  expect(subtract([0, 10], [[0, 10]])).toEqual([]);
  expect(
    covered([
      [0, 2],
      [1, 3],
      [5, 6],
    ]),
  ).toBe(4);
});

test("the axis runs from the start to the end, and keeps a short wait as it was", () => {
  const axis = createAxis([100, 200], [[110, 130]]);
  expect([0, 100, 110, 150, 200, 999].map((time) => axis.position(time))).toEqual([0, 0, 0.1, 0.5, 1, 1]);
  expect(axis.shortened).toBe(false);
});

test("waiting that takes more than two fifths gets a quarter of the axis", () => {
  const axis = createAxis([0, 1000], [[100, 900]]);
  expect([0, 100, 900, 1000].map((time) => axis.position(time).toFixed(3))).toEqual([
    "0.000",
    "0.375",
    "0.625",
    "1.000",
  ]);
  expect(axis.shortened).toBe(true);
});

test("an axis of no length, and one that is nothing but waiting, have places too", () => {
  expect(createAxis([5, 5], []).position(5)).toBe(0);
  expect(createAxis([0, 10], [[0, 10]]).position(5)).toBe(0.5);
});
