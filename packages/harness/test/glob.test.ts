import { expect, test } from "vitest";

import { compileGlob } from "../src/glob.ts";

test.for([
  { glob: "shell", matches: ["shell"], not: ["Shell", "shell2", ""] },
  { glob: "mcp_*", matches: ["mcp_", "mcp_x"], not: ["xmcp_", "mcp"] },
  { glob: "*", matches: ["a", ""], not: ["a/b"] },
  { glob: "a?c", matches: ["abc", "aüc", "a😀c"], not: ["ac", "abbc"] },
  { glob: "*.{ts,tsx}", matches: ["a.ts", "a.tsx"], not: ["a.t", "a.js"] },
  { glob: "{a,b{1,2}}-{x,y}", matches: ["a-x", "b2-y"], not: ["b-x", "a-"] },
  { glob: "src/**/*.ts", matches: ["src/a.ts", "src/b/c/d.ts"], not: ["a.ts", "src/a.js", "lib/src/a.ts"] },
  { glob: "**", matches: ["a", "a/b/c"], not: [] },
  { glob: "**/a/**/b", matches: ["a/b", "x/a/y/b", "a/a/b/b"], not: ["a", "b/a"] },
  { glob: "a.b+(c)", matches: ["a.b+(c)"], not: ["aXb+(c)"] },
])("$glob", ({ glob, matches, not }) => {
  const test = compileGlob(glob);
  expect(matches.map((name) => [name, test?.(name)])).toEqual(matches.map((name) => [name, true]));
  expect(not.map((name) => [name, test?.(name)])).toEqual(not.map((name) => [name, false]));
});

test.for(["", "{a,b", "a}", "{a}}", "{a,b}".repeat(9)])("unusable: %j", (glob) => {
  expect(compileGlob(glob)).toBeUndefined();
});

test("a pattern of many wildcards takes steps in proportion to the name, not without end", () => {
  const test = compileGlob(`${"*a".repeat(50)}b`);
  expect(test?.("a".repeat(5_000))).toBe(false);
});
