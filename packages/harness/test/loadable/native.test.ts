import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import type { ModLoadResult } from "../../src/index.ts";
import { workspace } from "./workspace.ts";

/** In a process of its own: the test runner imports with a loader of its own, which knows more than Node's. */
async function loadNatively(files: { readonly [path: string]: string }): Promise<[string, readonly ModLoadResult[]]> {
  const cwd = workspace(files);
  const script = `import { loadMods } from "@hookscope/harness";
const { results } = await loadMods({ cwd: ${JSON.stringify(cwd)}, userDirectory: ${JSON.stringify(cwd)} });
process.stdout.write(JSON.stringify(results));`;
  const flags = ["--conditions=@hookscope/source", "--no-warnings", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname });
  return [cwd, JSON.parse(stdout) as ModLoadResult[]];
}

test("mods of TypeScript and JavaScript run as they are; one that Node cannot read says how to see where", async () => {
  const [cwd, results] = await loadNatively({
    "enum.ts": "enum Color { Red }\nexport default () => void Color.Red;\n",
    "plain.mjs": "export default () => {};\n",
    "syntax.mjs": "export default (\n",
    "typed.ts": "type Name = string;\nexport default (cmd: { name: Name }): void => void cmd.name;\n",
  });
  const error = (file: string, problem: string): string =>
    `MOD_LOAD_FAILED: it cannot be imported: SyntaxError: ${problem}. \`node ${join(cwd, file)}\` shows where.`;
  expect(results.map((result) => [result.name, result.status, result.error])).toEqual([
    ["enum", "failed", error("enum.ts", "TypeScript enum is not supported in strip-only mode")],
    ["plain", "loaded", undefined],
    ["syntax", "failed", error("syntax.mjs", "Unexpected end of input")],
    ["typed", "loaded", undefined],
  ]);
});
