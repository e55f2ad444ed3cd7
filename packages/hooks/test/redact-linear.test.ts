import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, SECRET_SHAPES } from "../src/redact/index.ts";
import { hasOpenRepetitionInside, nestedRepetitions, repetitionLimits } from "./redact-patterns.ts";

const redactor = createRedactor();
const MEGABYTE = 1_000_000;

test.for([
  ["(a+)+b", true],
  ["a*b", true],
  ["a{2,}b", true],
  ["(?:a|b+)c", true],
  ["[a+]{3,}", false],
  ["x(?:ab{2,}|c{3,})", false],
  ["a{2,9}b?c\\+", false],
] as const)("the check itself: %s has an open repetition before its end: %s", ([source, expected]) => {
  expect(hasOpenRepetitionInside(source)).toBe(expected);
});

test.for(SECRET_SHAPES)(
  "$id: every repetition is bounded, or is the very last thing of its alternative",
  ({ pattern }) => {
    expect(hasOpenRepetitionInside(pattern.source)).toBe(false);
  },
);

test.for(SECRET_SHAPES)("$id: no repetition of more than one length stands inside another", ({ pattern }) => {
  expect(nestedRepetitions(pattern.source)).toEqual([]);
});

test.for(SECRET_SHAPES)("$id: no bound is above 20,000", ({ pattern }) => {
  expect(Math.max(0, ...repetitionLimits(pattern.source))).toBeLessThanOrEqual(20_000);
});

test.for(SECRET_SHAPES)("$id: a text made of its hints alone is worked through to its end", ({ hints }) => {
  for (const hint of hints) {
    const text = hint.repeat(Math.ceil(MEGABYTE / hint.length));
    const end = redactor.text(`${text} password="hunter2" end`).slice(-30);
    expect(end.endsWith('password="[redacted]" end')).toBe(true);
  }
});

const NASTY: readonly string[] = [
  "a",
  "-",
  "=",
  "\\",
  '"',
  "'",
  ".",
  "A1",
  "://",
  "://a:",
  "token=",
  'token="',
  "token='",
  'token=\\"',
  'token=\\\\\\"',
  "--token ",
  "password:",
  "cookie: a",
  "curl ",
  "curl -u a:",
  "<a>",
  "<token>",
  "token=''",
  "Bearer ",
  "authorization: ",
  "eyJ",
  "eyJaaaaaaaaaaaa.",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----MIIaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
  "SG.aaaaaa.",
  "0",
  "sk-",
  "MT3456789012345678901234.",
  "\n",
  " ",
  "\\n",
  "\\u003d",
  "%3D",
  "%2522",
  "&quot;",
  "\u001b[0m",
];

test.for(NASTY)("a million characters of %j: what stands behind them is still found", (piece) => {
  const text = piece.repeat(Math.ceil(MEGABYTE / piece.length));
  const redacted = redactor.text(`${text}"\n\nAPI_KEY=hunter2 end`);
  expect(redacted.endsWith("API_KEY=[redacted] end")).toBe(true);
});

test("beginnings of a token that stand one behind another are no token, however many", () => {
  for (let count = 1; count < 60; count += 1) {
    const text = "npm_".repeat(count);
    expect(redactor.text(text)).toBe(text);
  }
});

test("redacting twice is redacting once where one secret comes to light only when another one beside it is out", () => {
  const once = redactor.text("curl -u a:-----BEGIN PRIVATE KEY-----MIIaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(2));
  expect(once).toBe("curl -u a:[redacted:command_password] a:[redacted:private_key]");
  expect(redactor.text(once)).toBe(once);
});

test("any mixture of separators, quotes and beginnings of secrets terminates, and redacting twice is redacting once", () => {
  const hints = SECRET_SHAPES.flatMap((shape) => shape.hints);
  const piece = fc.oneof(fc.constantFrom(...NASTY, ...hints), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (pieces, times) => {
      const once = redactor.text(pieces.join("").repeat(times));
      expect(redactor.text(once)).toBe(once);
    }),
    { numRuns: 300 },
  );
});
