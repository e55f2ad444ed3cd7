import type { ModLoadResult } from "@hookscope/harness";
import type { HookListing } from "@hookscope/hooks";

import { configOf, readConfig, type Config, type ConfigFlags } from "../config/config.ts";
import { checkSurroundings, failed, type Check } from "../doctor/checks.ts";
import { EXIT } from "../errors.ts";
import { startRecording } from "../recording.ts";
import { inspectRuntime, type Inspection } from "../runtime/inspect.ts";
import { wantsColour, widthOf, writeJson, writeLines, type OutputFlags, type Terminal } from "../terminal.ts";
import { count, duration } from "../timeline/format.ts";
import { createPaint } from "../timeline/paint.ts";
import { fit, printable, shorten, wrap } from "../timeline/text.ts";
import { modLines } from "./mods.ts";

export interface DoctorFlags extends OutputFlags, ConfigFlags {
  readonly mod?: readonly string[];
}

/** What a command would find here: everything is really opened, built, and looked at. Ends with 1 where something is wrong. */
export async function doctor(terminal: Terminal, flags: DoctorFlags): Promise<number> {
  const { config, check } = await readForDoctor(terminal, flags);
  const recording = startRecording(terminal, config);
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
  const names = Math.max(...checks.map(({ name }) => name.length));
  const checkLines = checks.flatMap(({ name, status, detail }) => {
    const before = `${fit(name, names)}  ${fit(status, 7)}  `;
    const [first = "", ...more] = wrap(printable(detail), width - before.length, 6);
    const tone = status === "problem" ? "bad" : "plain";
    return [before + paint(tone, first), ...more.map((line) => " ".repeat(before.length) + paint(tone, line))];
  });
  writeLines(output, [
    ...checkLines,
    "",
    paint("strong", "Hooks, in the order they run at each point:"),
    ...hookLines(hooks).map((line) => shorten(line, width)),
    "",
    paint("strong", "Mods:"),
    ...modLines(mods, terminal, flags, { why: true }).map((line) => `  ${line}`),
  ]);
}

function hookLines(hooks: readonly HookListing[]): readonly string[] {
  if (hooks.length === 0) return ["  none"];
  const widest = Math.max(...hooks.map(({ hook }) => hook.length));
  return hooks.flatMap(({ point, hook, index, failurePolicy, timeoutMs, reinvoke, source }) => {
    const facts = [
      failurePolicy === "closed" ? "a failure blocks" : "a failure is skipped",
      `${duration(timeoutMs)} at most`,
      ...(reinvoke === "if_modified" ? ["again if changed"] : []),
      ...(source === undefined ? [] : [`of ${printable(source)}`]),
    ];
    const line = `    ${index + 1} ${fit(printable(hook), widest)}  ${facts.join(", ")}`;
    return index === 0 ? [`  ${point}`, line] : [line];
  });
}
