import { spawnSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

test("the type tests are all in the project that vitest type-checks", () => {
  const { stdout } = spawnSync(
    process.execPath,
    ["node_modules/typescript/bin/tsc", "-p", "tsconfig.vitest.json", "--listFilesOnly"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const checked = stdout.split("\n").filter((path) => path.endsWith(".test-d.ts"));
  const written = globSync("packages/*/test/**/*.test-d.ts", { cwd: root }).map((path) => join(root, path));
  expect(checked.toSorted()).toEqual(written.toSorted());
});

test("each package has exactly one lint override that says what it may import", () => {
  const { overrides } = JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[];
  };
  const restricted = overrides.filter(({ rules }) => "no-restricted-imports" in rules).flatMap(({ files }) => files);
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/src/**`);
  expect(restricted.toSorted()).toEqual([...packages, "dashboards/src/**"].toSorted());
});

test("a compiler that was called on a single file has left nothing beside it", () => {
  const left = globSync(
    "{packages/*,dashboards,e2e,bench,examples,tools/*}/{src,test,backends}/**/*.{d.ts,js,js.map}",
    {
      cwd: root,
      exclude: (path) => path.endsWith("node_modules"),
    },
  );
  expect(left).toEqual([]);
});

test("a package is published without the source condition", () => {
  for (const path of globSync("packages/*/package.json", { cwd: root })) {
    const { exports, publishConfig } = JSON.parse(readFileSync(join(root, path), "utf8"));
    expect(publishConfig.exports, path).toEqual(withoutSource(exports));
  }
});

type Exports = Record<string, string | Record<string, string>>;

function withoutSource(exports: Exports): Exports {
  const entries = Object.entries(exports).map(([name, target]) => {
    if (typeof target === "string") return [name, target];
    const { "@hookscope/source": _, ...published } = target;
    return [name, published];
  });
  return Object.fromEntries(entries) as Exports;
}
