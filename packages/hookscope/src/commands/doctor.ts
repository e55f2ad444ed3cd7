import type { ModLoadResult } from "@hookscope/harness";
import type { HookListing } from "@hookscope/hooks";
import stringWidth from "string-width";

import { configOf, readConfig, type Config, type ConfigFlags } from "../config/config.ts";
import { checkSurroundings, failed, type Check } from "../doctor/checks.ts";
import { EXIT } from "../errors.ts";
import { startRecording } from "../recording.ts";
import { inspectRuntime, type Inspection } from "../runtime/inspect.ts";
import { wantsColour, widthOf, writeJson, writeLines, type OutputFlags, type Terminal } from "../terminal.ts";
import { count, duration } from "../timeline/format.ts";
import { createPaint, type Paint } from "../timeline/paint.ts";
import { fit, printable, shorten, wrap } from "../timeline/text.ts";
import { modLines } from "./mods.ts";

export interface DoctorFlags extends OutputFlags, ConfigFlags {
  readonly mod?: readonly string[];
}

/** What a command would find here: everything is really opened, built, and looked at. Ends with 1 where something is wrong. */
export async function doctor(terminal: Terminal, flags: DoctorFlags): Promise<number> {
  const { config, check } = await readForDoctor(terminal, flags);
  const recording = startRecording(terminal, config, { runsTurns: false });
  try {
    const { telemetry, logger } = recording;
    const directory = terminal.workingDirectory;
    const inspection = await inspectRuntime({ config, flags, directory, telemetry, logger });
    const checks = [check, ...(await checkSurroundings({ terminal, config, recording })), runtimeCheck(inspection)];
    report({ checks, ...inspection }, terminal, flags);
    const isWell = checks.every(({ status }) => status !== "problem");
    return isWell && inspection.mods.every(({ status }) => status !== "failed") ? EXIT.done : EXIT.failed;
  } finally {
    await recording.close();
  }
}

interface Report {
  readonly checks: readonly Check[];
  readonly hooks: readonly HookListing[];
  readonly mods: readonly ModLoadResult[];
}

/** With a file that cannot be used the rest is looked at as it would be without one. */
async function readForDoctor(
  terminal: Terminal,
  flags: DoctorFlags,
): Promise<{ readonly config: Config; readonly check: Check }> {
  try {
    const config = await readConfig(terminal, flags);
    return {
      config,
      check: { name: "configuration", status: "ok", detail: config.file ?? "no file: every default holds" },
    };
  } catch (error) {
    return { config: configOf(terminal), check: failed("configuration", error) };
  }
}

function runtimeCheck({ hooks, mods, problem }: Inspection): Check {
  if (problem !== undefined) return { name: "runtime", status: "problem", detail: `nothing would start: ${problem}` };
  const loaded = mods.filter(({ status }) => status === "loaded").length;
  const names = new Set(hooks.map(({ hook }) => hook)).size;
  return {
    name: "runtime",
    status: "ok",
    detail: `built, with ${count(names, "hook")} at ${count(hooks.length, "place")} and ${count(loaded, "mod")}`,
  };
}

function report({ checks, hooks, mods }: Report, terminal: Terminal, flags: DoctorFlags): void {
  const { output } = terminal;
  if (flags.json === true) return writeJson(output, { checks, hooks, mods });
  const width = widthOf(output, terminal, flags);
  const paint = createPaint(wantsColour(output, terminal, flags));
  writeLines(output, [
    ...checkLines(checks, width, paint),
    "",
    ...wrap("Hooks, in the order they run at each point:", width, Infinity).map((line) => paint("strong", line)),
    ...hookLines(hooks, width),
    "",
    paint("strong", "Mods:"),
    ...modLines(mods, terminal, flags, { why: true, indent: 2 }).map((line) => `  ${line}`),
  ]);
}

/** Below these columns what was found stands below the check's name. */
const TABLE_WIDTH = 60;

function checkLines(checks: readonly Check[], width: number, paint: Paint): readonly string[] {
  const names = Math.max(...checks.map(({ name }) => name.length));
  return checks.flatMap(({ name, status, detail }) => {
    const isTable = width >= TABLE_WIDTH;
    const before = `${fit(name, names)}  ${fit(status, 7)}  `;
    const indent = isTable ? before.length : 4;
    const tone = status === "problem" ? "bad" : "plain";
    const lines = wrap(printable(detail), width - indent, Infinity).map((line) => paint(tone, line));
    const [first = "", ...more] = isTable ? lines : ["", ...lines];
    return [`${before}${first}`.trimEnd(), ...more.map((line) => " ".repeat(indent) + line)];
  });
}

function hookLines(hooks: readonly HookListing[], width: number): readonly string[] {
  if (hooks.length === 0) return ["  none"];
  const widest = Math.max(...hooks.map(({ hook }) => stringWidth(printable(hook))));
  return hooks.flatMap(({ point, hook, index, failurePolicy, timeoutMs, reinvoke, source }) => {
    const facts = [
      failurePolicy === "closed" ? "a failure blocks" : "a failure is skipped",
      `${duration(timeoutMs)} at most`,
      ...(reinvoke === "if_modified" ? ["again if changed"] : []),
      ...(source === undefined ? [] : [`of ${printable(source)}`]),
    ];
    const line = `    ${index + 1} ${fit(printable(hook), widest)}  ${facts.join(", ")}`;
    const lines =
      stringWidth(line) <= width
        ? [line]
        : [
            shorten(`    ${index + 1} ${printable(hook)}`, width),
            ...wrap(facts.join(", "), width - 8, Infinity).map((part) => `        ${part}`),
          ];
    return index === 0 ? [`  ${point}`, ...lines] : lines;
  });
}
