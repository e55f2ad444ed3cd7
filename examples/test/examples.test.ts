import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, test } from "vitest";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../src/", import.meta.url));

/** What each example prints. */
const OUTPUT: { readonly [file: string]: readonly string[] } = {
  "ask-a-person.ts": [
    "asked: Delete record 7?",
    "completed: record 7 deleted",
    "asked: Delete record 8?",
    "blocked: Blocked: a person denied it",
    "Record 7 is gone, record 8 stays.",
  ],
  "hermes-plugin.ts": ["Blocked: deleting folders is not allowed", "ran: nice make", "Built."],
  "no-delegation-for-clients.ts": ["agent: Blocked: client agents work alone", "I will look it up myself."],
  "print-usage.ts": ["scripted-model: 2 in, 4 out", "scripted-model: 9 in, 4 out", "It is Monday."],
  "transform-a-result.ts": [
    "hide_addresses: modify, applied: true",
    "the model sees: Support, (address hidden), room 12",
    "Support sits in room 12.",
  ],
  "turn-counter.ts": [
    "message",
    'turn-counter/count: {"count":1}',
    "message",
    "message",
    'turn-counter/count: {"count":2}',
    "message",
  ],
  "until-green.ts": [
    "onStop until-green: modify, applied: true",
    "onStop until-green: modify, applied: true",
    "onStop until-green: continue, applied: false",
    "3 rounds: All tests pass.",
  ],
  "write-quota.ts": [
    "wrote notes/a.md",
    "blocked: Only files in notes/ may be written.",
    "blocked: No writes are left.",
    "end_turn: 1 written",
  ],
};

/** Run against a real Jaeger by the end-to-end checks. */
const NEEDS_A_BACKEND: readonly string[] = ["embed-the-bus.ts"];

const files = readdirSync(folder);

describe("examples", () => {
  test("every example is run by a test", () => {
    expect(files.toSorted()).toEqual([...Object.keys(OUTPUT), ...NEEDS_A_BACKEND].toSorted());
  });

  test.for(files)("%s is under 60 lines", (file) => {
    expect(readFileSync(folder + file, "utf8").split("\n").length).toBeLessThan(60);
  });

  test.for(Object.entries(OUTPUT))("%s prints what it says", async ([file, lines]) => {
    const { stdout } = await run(process.execPath, ["--conditions=@hookscope/source", folder + file]);
    expect(stdout.trimEnd().split("\n")).toEqual(lines);
  });
});
