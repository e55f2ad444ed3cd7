import { describe, expect, test } from "vitest";

import type { CommandHook } from "../src/index.ts";
import { folder, modErrors, runTurn, script, toolHooks, toolResult, type Ran } from "./run.ts";

function guarded(command: string, failClosed: boolean, cwd = folder()): Promise<Ran> {
  const hook: CommandHook = { type: "command", command, name: "guard", failClosed };
  return runTurn({ PreToolUse: [{ hooks: [hook] }] }, { cwd });
}

const REFUSED = "The command hook user-hooks/guard could not decide, so the call is refused: ";

describe("text that is no JSON, with exit code 0", () => {
  const TRACE = "printf 'Traceback (most recent call last):\\n  boom\\n'";
  const NO_JSON = "COMMAND_HOOK_OUTPUT_INVALID: it wrote text to standard output where JSON or nothing is expected.";

  test.for([TRACE, "echo null", "echo '[]'", "echo '\"deny\"'"])("with failClosed blocks: %s", async (command) => {
    const ran = await guarded(command, true);
    expect([toolResult(ran), ran.inputs]).toEqual([REFUSED + NO_JSON, []]);
    expect(toolHooks(ran)).toEqual([["shell", "pre", "blocked", [REFUSED + NO_JSON]]]);
  });

  test("without it proceeds", async () => {
    const ran = await guarded(TRACE, false);
    expect([toolResult(ran), toolHooks(ran)]).toEqual(["ran", [["shell", "pre", "passed", []]]]);
  });

  test.for(["true", "echo", "echo '{}'"])(
    "nothing, or an empty object, allows with failClosed: %s",
    async (command) => {
      expect(toolResult(await guarded(command, true))).toBe("ran");
    },
  );
});

describe("JSON that was cut", () => {
  const MIB = 1024 * 1024;
  const DENY = `{"decision":"block","reason":"no"}`;
  const CUT = (omitted: number): string =>
    `COMMAND_HOOK_OUTPUT_CUT: standard output was cut at ${MIB} bytes, ${omitted} were left out, so what it decided cannot be read.`;
  const OUTPUTS: readonly (readonly [what: string, code: string, omitted: number])[] = [
    ["within it", `JSON.stringify({ reason: "x".repeat(${MIB}) })`, 13],
    ["before it begins", `" ".repeat(${MIB}) + ${JSON.stringify(DENY)}`, DENY.length],
    ["behind an object", `"{}" + " ".repeat(${MIB}) + "x"`, 3],
  ];
  const written = (cwd: string, code: string): string => script(cwd, `process.stdout.write(${code});`);

  test.for(OUTPUTS)("%s blocks with failClosed", async ([, code, omitted]) => {
    const cwd = folder();
    const ran = await guarded(written(cwd, code), true, cwd);
    expect([toolResult(ran), ran.inputs]).toEqual([REFUSED + CUT(omitted), []]);
  });

  test.for(OUTPUTS)("%s is said to have been cut, without it", async ([, code, omitted]) => {
    const cwd = folder();
    const ran = await guarded(written(cwd, code), false, cwd);
    expect(toolResult(ran)).toBe("ran");
    expect(toolHooks(ran)).toEqual([["shell", "pre", "failed", [CUT(omitted)]]]);
    expect(modErrors(ran)).toEqual([["user-hooks/guard", "beforeToolCall", CUT(omitted)]]);
    expect(ran.warnings).toEqual([expect.stringContaining(CUT(omitted))]);
  });
});
