import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const results = readFileSync(join(root, "bench/results.md"), "utf8");
const decision = readFileSync(join(root, "docs/decisions/0011-every-hook-is-timed.md"), "utf8");

/** The ratios of one table of the results, from its first line on. */
function ratiosOf(title: string): readonly string[] {
  const [, table = ""] = results.split(`### ${title}\n`);
  const [own = ""] = table.split("\n###");
  return [...own.matchAll(/^\| .* \| [\d,]+ \| (\d+\.\d\dx) \|/gm)].map(([, ratio = ""]) => ratio);
}

const rows = [...decision.matchAll(/^\| (\d+ a?sync) +\| +(\S+) \| +(\S+) \|/gm)].map(
  ([, hooks = "", loop = "", dispatch = ""]) => ({ hooks, loop, dispatch }),
);

test.for(rows)("what decision 0011 says of $hooks hooks is what was measured", ({ hooks, loop, dispatch }) => {
  expect(["1.00x", loop, dispatch]).toEqual(ratiosOf(`Untraced, ${hooks} hooks`));
});

test("decision 0011 speaks of four cases, and quotes the traced ones and the point without hooks", () => {
  expect(rows.map(({ hooks }) => hooks)).toEqual(["4 async", "16 async", "4 sync", "16 sync"]);
  const traced = /\| traced, 4 async hooks, against raw startSpan and end +\| (\S+)/.exec(decision)?.[1];
  expect(results).toContain(`at most 1.50x of line 2: met, ${traced}`);
  const nanoseconds = /\| a point without hooks +\| (\d+) ns/.exec(decision)?.[1];
  expect(results).toContain(`| dispatch, no hooks | ${nanoseconds} |`);
});
