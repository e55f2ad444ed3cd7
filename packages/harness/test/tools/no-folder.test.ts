import { spawnSync } from "node:child_process";

import { expect, test } from "vitest";

test("a file whose folder cannot be made is refused at once, also where the system says for ever that it is missing", () => {
  // In a process of its own, which can be ended: a call that never returns would hold the tests for ever.
  const script = `import { writeFileTool } from "@hookscope/harness";
const signal = new AbortController().signal;
try { await writeFileTool({ root: "/proc" }).execute({ input: { file_path: "nowhere/at/all.txt", content: "" }, signal }); }
catch (error) { process.stdout.write(error.message); }`;
  const child = spawnSync(
    process.execPath,
    ["--conditions=@hookscope/source", "--no-warnings", "--input-type=module", "--eval", script],
    { cwd: import.meta.dirname, timeout: 30_000, encoding: "utf8" },
  );
  expect({ signal: child.signal, output: child.stdout }).toEqual({
    signal: null,
    output: 'TOOL_FILE_UNREADABLE: "nowhere/at/all.txt" does not exist.',
  });
});
