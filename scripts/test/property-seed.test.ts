import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

import { DEFAULT_SEED, propertySeed, readPropertySeed } from "../property-seed.ts";

const root = join(import.meta.dirname, "../..");
const fastCheck = pathToFileURL(createRequire(join(root, "packages/hooks/package.json")).resolve("fast-check")).href;

/** What a module with this plugin tries, of the real fast-check. */
async function examplesWith(seed: number | undefined, name: string): Promise<readonly number[]> {
  const source = `import fc from "fast-check";\nexport const examples = () => fc.sample(fc.nat(), 5); // ${name}`;
  const code = (propertySeed(seed).transform(source)?.code ?? source).replaceAll('"fast-check"', `"${fastCheck}"`);
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { examples(): number[] };
  return module.examples();
}

test("a module that imports fast-check tries the same examples each time, and others with another seed", async () => {
  const first = await examplesWith(1, "first");
  expect(await examplesWith(1, "second")).toEqual(first);
  expect(await examplesWith(2, "third")).not.toEqual(first);
});

test("no other module loads fast-check", () => {
  expect(propertySeed(1).transform('import { test } from "vitest";\n// not "fast-check"')).toBeUndefined();
});

test("every test of properties is one that the seed reaches", () => {
  const sources = globSync("{packages,dashboards,examples,scripts}/**/test/**/*.ts", {
    cwd: root,
    exclude: ["**/node_modules", "scripts/test/property-seed.test.ts"],
  }).map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }));
  const users = sources.filter(({ source }) => /\bfc\.(?:assert|check|sample)\(/.test(source));
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ source }) => propertySeed(1).transform(source) === undefined)).toEqual([]);
});

test.for([
  [undefined, DEFAULT_SEED],
  ["", DEFAULT_SEED],
  ["random", undefined],
  ["42", 42],
  ["-1908341202", -1908341202],
] as const)("PROPERTY_SEED=%s is the seed %s", ([given, seed]) => {
  expect(readPropertySeed(given)).toBe(seed);
});

test.for(["often", "1.5", "0x10", "12345678901"])("PROPERTY_SEED=%s is refused", (given) => {
  expect(() => readPropertySeed(given)).toThrow(
    `PROPERTY_SEED is "${given}"; give a whole number (a failed property prints its seed), or "random" for new examples.`,
  );
});
