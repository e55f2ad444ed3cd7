import { HOOK_POINTS, type HookPoint } from "@hookscope/hooks";
import { expect, test, vi } from "vitest";

import { runCommand, withHome } from "../fixtures/command.ts";

// Each test starts a process.
vi.setConfig({ testTimeout: 60_000 });

test("points --json prints the 22 rows of the table", async () => {
  await withHome(async (home) => {
    const { exitCode, output, errors } = await runCommand(["points", "--json"], home);
    const rows = JSON.parse(output) as readonly { readonly name: HookPoint }[];
    expect({ exitCode, errors, count: rows.length }).toEqual({ exitCode: 0, errors: "", count: 22 });
    expect(rows).toEqual(
      Object.entries(HOOK_POINTS).map(([name, { kind, accepts, failurePolicy, fires, payload }]) => ({
        name,
        kind,
        accepts,
        failurePolicy,
        fires,
        payload,
      })),
    );
  });
});

test.for([
  [["points", "--jsn"], 2, "COMMAND_OPTION_UNKNOWN: unknown option '--jsn'; did you mean --json?"],
  [["pionts"], 2, "COMMAND_UNKNOWN: unknown command 'pionts'; did you mean points?"],
  [
    ["timeline", "--width", "3"],
    2,
    "COMMAND_OPTION_INVALID: option '--width <columns>' argument '3' is invalid. give a whole number from 40 to 1000.",
  ],
  [["timeline", "--turn"], 2, "COMMAND_ARGUMENT_MISSING: option '--turn <id>' argument missing"],
  [
    ["run", "hello"],
    2,
    "COMMAND_ARGUMENT_MISSING: run needs a model: give --model provider:name, or set model under [agent] in hookscope.toml.",
  ],
  [["run", " ", "--model", "anthropic:x"], 2, "COMMAND_ARGUMENT_MISSING: the message is empty."],
  [["help", "runn"], 2, "COMMAND_UNKNOWN: unknown command 'runn'; did you mean run?"],
  [["help", "mods", "lst"], 2, "COMMAND_UNKNOWN: unknown command 'mods lst'; did you mean list?"],
  [["help", "frobnicate"], 2, "COMMAND_UNKNOWN: unknown command 'frobnicate'; `hookscope --help` lists them"],
  [["frobnicate"], 2, "COMMAND_UNKNOWN: unknown command 'frobnicate'; `hookscope --help` lists them"],
  [["trust", "/dev/null"], 1, "COMMAND_PATH_UNUSABLE: there is no folder /dev/null."],
  [["run", "--model", "anthropic:x"], 2, "COMMAND_ARGUMENT_MISSING: missing required argument 'message'"],
  [
    ["points", "extra"],
    2,
    "COMMAND_ARGUMENT_UNEXPECTED: too many arguments for 'points'. Expected 0 arguments but got 1: extra.",
  ],
  [
    ["run", "hello", "--model", "anthropic:x"],
    1,
    "COMMAND_MODEL_KEY_MISSING: The provider anthropic needs a key: set ANTHROPIC_API_KEY in the environment.",
  ],
  [
    ["timeline"],
    1,
    "COMMAND_TURN_UNKNOWN: no turn was recorded yet. `hookscope demo` records one; `hookscope timeline --list` lists those that are there.",
  ],
  [
    ["timeline", "--turn", "x"],
    1,
    'COMMAND_TURN_UNKNOWN: there is no turn "x". `hookscope demo` records one; `hookscope timeline --list` lists those that are there.',
  ],
] as const)("hookscope %s ends with %i and one clear line", async ([args, exitCode, line]) => {
  await withHome(async (home) => {
    expect(await runCommand(args, home)).toEqual({ exitCode, output: "", errors: `hookscope: ${line}\n` });
  });
});

test("without a command the help is printed, and that is a usage error", async () => {
  await withHome(async (home) => {
    const { exitCode, output, errors } = await runCommand([], home);
    const commands = [...errors.matchAll(/^ {2}([a-z]+) (?:\[|<| )/gm)].map(([, name]) => name);
    expect({ exitCode, output, commands }).toEqual({
      exitCode: 2,
      output: "",
      commands: ["demo", "run", "points", "timeline", "cost", "sessions", "mods", "doctor", "trust", "help"],
    });
  });
});

test.for([["--help"], ["demo", "--help"], ["help"], ["help", "run"], ["help", "mods", "list"], ["--version"]])(
  "hookscope %s is no error",
  async (args) => {
    await withHome(async (home) => {
      const { exitCode, output, errors } = await runCommand(args, home);
      expect({ exitCode, errors, printed: output.length > 0 }).toEqual({ exitCode: 0, errors: "", printed: true });
    });
  },
);

test.for([["/proc/nowhere/state"], ["/dev/null/state"]])(
  "a trace store that cannot be at %s says what to do",
  async ([place = ""]) => {
    await withHome(async (home) => {
      const { exitCode, output, errors } = await runCommand(["timeline"], home, { HOOKSCOPE_HOME: place });
      expect({ exitCode, output }).toEqual({ exitCode: 1, output: "" });
      expect(errors).toMatch(
        /^hookscope: TRACE_STORE_UNWRITABLE: [^\n]+\. Set HOOKSCOPE_HOME to a folder that can be written\.\n$/,
      );
    });
  },
);
