import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { makeDirectory, removeDirectory } from "./places.ts";

let directory: string;
beforeEach(() => {
  directory = makeDirectory();
});
afterEach(() => removeDirectory(directory));

/** What needs a folder that is missing, and by which code it is refused where that cannot be made. */
const NEEDS: readonly { readonly what: string; readonly belowProc: string; readonly belowFile: string }[] = [
  {
    what: "await createJsonLinesSessionStore({ directory: `${place}/sessions` }).create();",
    belowProc: "SESSION_NOT_WRITABLE",
    belowFile: "SESSION_NOT_WRITABLE",
  },
  {
    what: "createSqliteSessionStore({ path: `${place}/sessions.db` });",
    belowProc: "SESSION_NOT_WRITABLE",
    belowFile: "SESSION_NOT_WRITABLE",
  },
  {
    what: "await createWorkspaceTrust({ path: `${place}/trust.json` }).trust('/');",
    belowProc: "TRUST_FILE_NOT_WRITABLE",
    belowFile: "TRUST_FILE_INVALID",
  },
];

describe.for(NEEDS)("where no folder can be made, $what", ({ what, belowProc, belowFile }) => {
  test("is refused at once below /proc", () => {
    expect(refusal(what, "/proc/nowhere/at/all")).toEqual({ signal: null, output: belowProc });
  });

  test("is refused below a file", () => {
    const file = join(directory, "file");
    writeFileSync(file, "mine");
    expect(refusal(what, join(file, "below"))).toEqual({ signal: null, output: belowFile });
  });
});

/** In a process of its own, which can be ended: a call that never returns would hold the tests for ever. */
function refusal(what: string, place: string): { readonly signal: string | null; readonly output: string } {
  const script = `import { createJsonLinesSessionStore, createSqliteSessionStore, createWorkspaceTrust } from "@hookscope/harness";
const place = ${JSON.stringify(place)};
try { ${what} } catch (error) { process.stdout.write(String(error.code)); }`;
  const child = spawnSync(
    process.execPath,
    ["--conditions=@hookscope/source", "--no-warnings", "--input-type=module", "--eval", script],
    { cwd: import.meta.dirname, timeout: 240_000, encoding: "utf8" },
  );
  return { signal: child.signal, output: child.stdout };
}
