import { Option, type Command } from "commander";

import { PERMISSION_MODES } from "../config/permission-modes.ts";
import type { OutputFlags, Terminal } from "../terminal.ts";
import type { CostFlags } from "./cost.ts";
import type { DemoFlags } from "./demo.ts";
import type { DoctorFlags } from "./doctor.ts";
import type { ModsFlags } from "./mods.ts";
import {
  addOutputOptions,
  configOption,
  httpAddress,
  modOption,
  oneOf,
  REPORTS,
  seconds,
  wholeNumber,
} from "./options.ts";
import type { RunFlags } from "./run.ts";
import { declareSessions } from "./declare-sessions.ts";
import type { TimelineFlags } from "./timeline.ts";

type Done = (exitCode: number) => void;

/** Commands are loaded when they are called: `points` needs neither the loop nor telemetry. */
export function declareCommands(program: Command, terminal: Terminal, done: Done): void {
  declareTurns(program, terminal, done);
  declareLooking(program, terminal, done);
  declareSessions(program, terminal, done);
  declareSetup(program, terminal, done);
}

function declareTurns(program: Command, terminal: Terminal, done: Done): void {
  add(program, "demo", "run one scripted turn on a throw-away copy of a small project, and show its timeline")
    .option("--exit", "end after the turn; without a terminal it always does")
    .addOption(
      new Option("--loop", "run turn after turn, each a little different, until it is stopped").conflicts("exit"),
    )
    .option("--every <seconds>", "with --loop: the pause between two turns; default 5", seconds)
    .option("--seed <number>", "with --loop: where the differences begin; default 1", wholeNumber(0, 2 ** 32 - 1))
    .addOption(configOption())
    .addOption(metricsPortOption())
    .addOption(metricsHostOption())
    .addOption(metricsPushOption())
    .action(async (flags: DemoFlags) => {
      const { demo } = await import("./demo.ts");
      done(await demo(terminal, flags));
    });
  add(program, "run", "run one turn with a real model in the working directory, and show its timeline")
    .argument("<message>", "what the agent is to do")
    .option("-m, --model <provider:name>", "anthropic:NAME, openai:NAME, or another provider with --base-url")
    .option("--base-url <url>", "address of an OpenAI-compatible API, or another one for the provider")
    .option("--session <id>", "go on with this session, or begin it; a new one where it is left out")
    .option("--no-session", "keep nothing of the session")
    .option("--branch <entry>", "with --session: go on after this entry; `sessions show` lists them")
    .addOption(modOption())
    .option("--profile <name>", "for spans, metrics, budgets and policies")
    .addOption(
      new Option("--permission-mode <mode>", "default, accept-edits, plan, yolo or dont-ask").argParser(
        oneOf(PERMISSION_MODES),
      ),
    )
    .option("--max-rounds <number>", "rounds of the turn; default 50", wholeNumber(1, 100_000))
    .addOption(configOption())
    .addOption(metricsPortOption())
    .addOption(metricsHostOption())
    .addOption(metricsPushOption())
    .action(async (message: string, flags: RunFlags) => {
      const { run } = await import("./run.ts");
      done(await run(terminal, message, flags));
    });
}

function declareLooking(program: Command, terminal: Terminal, done: Done): void {
  add(program, "points", "list the 22 hook points").action(async (flags: OutputFlags) => {
    const { points } = await import("./points.ts");
    done(points(terminal, flags));
  });
  add(program, "timeline", "show the last turn, or a named one, from the local trace store")
    .addOption(new Option("--turn <id>", "the turn to show").conflicts(["session", "list"]))
    .option("--session <id>", "the last turn of this session")
    .option("--list", "list turns, the latest first")
    .addOption(configOption())
    .action(async (flags: TimelineFlags) => {
      const { timeline } = await import("./timeline.ts");
      done(await timeline(terminal, flags));
    });
  add(program, "cost", "show what was spent, from the ledger")
    .addOption(new Option("--by <what>", "model, profile, session or day; default model").argParser(oneOf(REPORTS)))
    .option("--since <time>", "from this day on: 2026-11-30, or 12h, 7d, 4w before now")
    .addOption(configOption())
    .action(async ({ since, ...flags }: Omit<CostFlags, "since"> & { readonly since?: string }) => {
      const { cost, readSince } = await import("./cost.ts");
      done(await cost(terminal, since === undefined ? flags : { ...flags, since: readSince(since, Date.now()) }));
    });
}

function declareSetup(program: Command, terminal: Terminal, done: Done): void {
  const mods = program
    .command("mods")
    .description("the mods that would be loaded here")
    .helpOption("-h, --help", "print help")
    .helpCommand(false);
  add(mods, "list", "list them with what became of each")
    .addOption(modOption())
    .addOption(configOption())
    .action(async (flags: ModsFlags) => {
      const { listMods } = await import("./mods.ts");
      done(await listMods(terminal, flags));
    });
  add(mods, "doctor", "say why each that is not loaded is not; ends with 1 where one failed")
    .addOption(modOption())
    .addOption(configOption())
    .action(async (flags: ModsFlags) => {
      const { diagnoseMods } = await import("./mods.ts");
      done(await diagnoseMods(terminal, flags));
    });
  add(program, "doctor", "look at everything a command would find here: hooks, mods, telemetry, files, ports")
    .addOption(modOption())
    .addOption(configOption())
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import("./doctor.ts");
      done(await doctor(terminal, flags));
    });
  add(program, "trust", "let this workspace's own hookscope.toml and mods run")
    .argument("[path]", "the workspace; default the working directory")
    .action(async (path: string | undefined, flags: OutputFlags) => {
      const { trustWorkspace } = await import("./trust.ts");
      done(await trustWorkspace(terminal, path, flags));
    });
}

function add(parent: Command, name: string, description: string): Command {
  return addOutputOptions(parent.command(name).description(description));
}

function metricsPortOption(): Option {
  return new Option("--metrics-port <port>", "serve /metrics there meanwhile; 0: any").argParser(
    wholeNumber(0, 65_535),
  );
}

function metricsHostOption(): Option {
  return new Option("--metrics-host <address>", "address to listen on; default 127.0.0.1");
}

function metricsPushOption(): Option {
  return new Option("--metrics-push <url>", "a Pushgateway that gets the metrics at the end").argParser(httpAddress);
}
