import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import stringWidth from "string-width";
import { expect, test } from "vitest";

import { cost } from "../../src/commands/cost.ts";
import { doctor } from "../../src/commands/doctor.ts";
import { diagnoseMods, listMods } from "../../src/commands/mods.ts";
import { points } from "../../src/commands/points.ts";
import { listSessions, showSession } from "../../src/commands/sessions.ts";
import { timeline } from "../../src/commands/timeline.ts";
import type { OutputFlags, Terminal } from "../../src/terminal.ts";
import { captureTerminal } from "../fixtures/terminal.ts";
import { inWorkspace, type Workspace } from "../fixtures/workspace.ts";

const SESSION = "a-session-of-a-name-that-is-32-wide";
const PROFILE = "漢字".repeat(20);

type Show = (terminal: Terminal, flags: OutputFlags) => number | Promise<number>;

const TABLES: { readonly [name: string]: Show } = {
  points,
  timeline: (terminal, flags) => timeline(terminal, flags),
  "timeline --list": (terminal, flags) => timeline(terminal, { ...flags, list: true }),
  "cost --by model": (terminal, flags) => cost(terminal, flags),
  "cost --by profile": (terminal, flags) => cost(terminal, { ...flags, by: "profile" }),
  "cost --by session": (terminal, flags) => cost(terminal, { ...flags, by: "session" }),
  "sessions list": (terminal, flags) => listSessions(terminal, flags),
  "sessions show": (terminal, flags) => showSession(terminal, SESSION, flags),
  "mods list": (terminal, flags) => listMods(terminal, flags),
  "mods doctor": (terminal, flags) => diagnoseMods(terminal, flags),
  doctor: (terminal, flags) => doctor(terminal, flags),
};

const WIDTHS = [40, 41, 57, 58, 60, 65, 66, 72, 80, 81, 100, 110, 120, 200];

async function shown(show: Show, { home, directory }: Workspace, width: number): Promise<readonly string[]> {
  const { terminal, output } = captureTerminal(home, { workingDirectory: directory });
  await show(terminal, { width });
  return output().trimEnd().split("\n");
}

test("no table is wider than was asked for, and the ids in it are whole", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "../state/mods/guard.mjs": "export default 3;",
      [`../state/mods/${"long-name-".repeat(5)}.mjs`]: "export default () => undefined;",
    });
    await mkdir(join(workspace.home, "state"), { recursive: true });
    await workspace.run("--session", SESSION, "--profile", PROFILE);
    const tooWide: string[] = [];
    for (const [name, show] of Object.entries(TABLES)) {
      for (const width of WIDTHS) {
        const lines = await shown(show, workspace, width);
        expect(lines.length, name).toBeGreaterThan(0);
        for (const line of lines) if (stringWidth(line) > width) tooWide.push(`${name} ${width}: ${line}`);
      }
    }
    expect(tooWide).toEqual([]);
    const [turn = ""] = await shown((terminal, flags) => timeline(terminal, { ...flags, list: true }), workspace, 40);
    expect(turn).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect((await shown((terminal, flags) => listSessions(terminal, flags), workspace, 40))[0]).toBe(SESSION);
  });
});

test("in 40 columns a point is its name, and what it is below that", async () => {
  const { terminal, output } = captureTerminal("/nowhere");
  points(terminal, { width: 40 });
  const lines = output().split("\n");
  const at = lines.indexOf("transform_api_error_classification");
  expect(lines.slice(at, at + 5)).toEqual([
    "transform_api_error_classification",
    "    transform; accepts modify; a failure",
    "    is skipped",
    "    each failed attempt of a model call,",
    "    after api_request_error",
  ]);
});
