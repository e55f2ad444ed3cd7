import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedFiles } from "../src/index.ts";

const root = join(import.meta.dirname, "../generated");

test("every generated file is what its source says, and no other file is beside them", () => {
  const there = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const contents = Object.fromEntries(there.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  expect(contents).toEqual(generatedFiles());
});
