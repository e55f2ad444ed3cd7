import { relative } from "node:path";

import type { ModLoadResult } from "@hookscope/harness";
import stringWidth from "string-width";

import { readConfig, type ConfigFlags } from "../config/config.ts";
import { EXIT } from "../errors.ts";
import { startRecording } from "../recording.ts";
import { inspectRuntime, type Inspection } from "../runtime/inspect.ts";
import {
  wantsColour,
  widthOf,
  writeJson,
  writeLines,
  writeText,
  type OutputFlags,
  type Terminal,
} from "../terminal.ts";
import { createPaint, type Paint, type Tone } from "../timeline/paint.ts";
import { fit, printable, shorten, wrap } from "../timeline/text.ts";

export interface ModsFlags extends OutputFlags, ConfigFlags {
  readonly mod?: readonly string[];
}

/** Every mod that was found, and what became of it in a harness that was really built. */
export async function listMods(terminal: Terminal, flags: ModsFlags): Promise<number> {
  const { mods } = await inspect(terminal, flags);
  if (flags.json === true) writeJson(terminal.output, mods);
  else writeLines(terminal.output, modLines(mods, terminal, flags, { why: false }));
  return EXIT.done;
}

/** The same with reasons; ends with 1 where a mod failed, or nothing would start. */
export async function diagnoseMods(terminal: Terminal, flags: ModsFlags): Promise<number> {
  const { mods, problem } = await inspect(terminal, flags);
  if (flags.json === true) writeJson(terminal.output, { problem: problem ?? null, mods });
  else {
    writeLines(terminal.output, modLines(mods, terminal, flags, { why: true }));
    if (problem !== undefined) writeText(terminal, flags, `Nothing would start: ${printable(problem)}`);
  }
  return problem === undefined && !mods.some(({ status }) => status === "failed") ? EXIT.done : EXIT.failed;
}

export function modLines(
  mods: readonly ModLoadResult[],
  terminal: Terminal,
  flags: OutputFlags,
  { why, indent = 0 }: { readonly why: boolean; readonly indent?: number },
): readonly string[] {
  if (mods.length === 0) return ["No mods were found."];
  const { output, workingDirectory } = terminal;
  const width = widthOf(output, terminal, flags) - indent;
  const paint = createPaint(wantsColour(output, terminal, flags));
  const widest = Math.max(...mods.map((mod) => stringWidth(printable(mod.name))));
  const name = Math.min(widest, 30, width - LEAST_REST);
  return mods.flatMap((mod) => [
    modLine(mod, workingDirectory, { width, paint, name }),
    ...(why && mod.error !== undefined
      ? wrap(printable(mod.error), width - 4, Infinity).map((line) => paint("quiet", `    ${line}`))
      : []),
  ]);
}

/** Columns for the status and something of the place. */
const LEAST_REST = 25;

const TONES: { readonly [Status in ModLoadResult["status"]]: Tone } = {
  loaded: "plain",
  failed: "bad",
  shadowed: "warning",
  untrusted: "warning",
};

function modLine(
  { name, path, origin, status }: ModLoadResult,
  directory: string,
  form: { readonly width: number; readonly paint: Paint; readonly name: number },
): string {
  const near = relative(directory, path);
  const place = near.startsWith("..") ? path : near;
  const before = `${fit(printable(name), form.name)}  `;
  const rest = `  ${fit(origin, 7)}  ${printable(place)}`;
  return before + form.paint(TONES[status], fit(status, 9)) + shorten(rest, form.width - before.length - 9);
}

async function inspect(terminal: Terminal, flags: ModsFlags): Promise<Inspection> {
  const config = await readConfig(terminal, flags);
  const recording = startRecording(terminal, config, { runsTurns: false });
  try {
    return await inspectRuntime({
      config,
      flags,
      directory: terminal.workingDirectory,
      telemetry: recording.telemetry,
      logger: recording.logger,
    });
  } finally {
    await recording.close();
  }
}
