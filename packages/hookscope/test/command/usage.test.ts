import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { HOOK_POINTS, type HookPoint } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { runCommand, withHome } from "../fixtures/command.ts";

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
    "COMMAND_OPTION_INVALID: option '--width <columns>' argument '3' is invalid. Give a whole number from 40 to 1000.",
  ],
  [
    ["timeline", "--turn", "x", "--list"],
    2,
    "COMMAND_OPTION_INVALID: option '--turn <id>' cannot be used with option '--list'",
  ],
  [["demo", "--exit", "--loop"], 2, "COMMAND_OPTION_INVALID: option '--loop' cannot be used with option '--exit'"],
  [["demo", "--seed", "3"], 2, "COMMAND_OPTION_INVALID: --seed is for turn after turn: give --loop too."],
  [
    ["demo", "--metrics-push", "gateway"],
    2,
    "COMMAND_OPTION_INVALID: option '--metrics-push <url>' argument 'gateway' is invalid. Give an http or https address.",
  ],
  [
    ["mods", "list", "--mod", ""],
    2,
    "COMMAND_OPTION_INVALID: option '--mod <file>' argument '' is invalid. Give a file.",
  ],
  // What was typed is shown, but cannot draw.
  [["fo\u001B[31mo\u009B2J"], 2, "COMMAND_UNKNOWN: unknown command 'foo'; `hookscope --help` lists them"],
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
        /^hookscope: TRACE_STORE_UNWRITABLE: [^\n]+\. Set HOOKSCOPE_HOME to a folder that can be written, or trace_store under \[telemetry\] to another file\.\n$/,
      );
    });
  },
);

test.for([
  ["timeline"],
  ["timeline", "--list"],
  ["cost"],
  ["sessions", "list"],
  ["mods", "list"],
  ["doctor"],
  ["trust"],
  ["demo"],
])("where HOOKSCOPE_HOME is a file, %s says so", async (args) => {
  await withHome(async (home) => {
    const file = join(home, "file");
    await writeFile(file, "");
    expect(await runCommand(args, home, { HOOKSCOPE_HOME: file })).toEqual({
      exitCode: 1,
      output: "",
      errors: `hookscope: COMMAND_PATH_UNUSABLE: HOOKSCOPE_HOME is "${file}", which is no folder. Name a folder; it is made where there is none.\n`,
    });
  });
});

test("what is no trace store, and no ledger, is left alone, and what to do about it is said", async () => {
  await withHome(async (home) => {
    const files = ["traces.db", "ledger.db"].map((name) => join(home, "state", name));
    await mkdir(join(home, "state"));
    for (const file of files) await writeFile(file, "the work of another program");
    const of = async (command: string): Promise<string> => (await runCommand([command], home)).errors;
    expect(await of("timeline")).toBe(
      `hookscope: TRACE_STORE_FOREIGN: ${files[0]} is not a database. Move it away, or set trace_store under [telemetry] to another file.\n`,
    );
    expect(await of("cost")).toBe(
      `hookscope: METRICS_LEDGER_UNUSABLE: ${files[1]} cannot be used as the ledger: file is not a database. Move away what is there, or set ledger under [metrics] to another file.\n`,
    );
    // Neither runs a turn: nothing is said of one.
    expect([await of("doctor"), (await runCommand(["mods", "list"], home)).errors]).toEqual(["", ""]);
    for (const file of files) expect(await readFile(file, "utf8")).toBe("the work of another program");
  });
});
