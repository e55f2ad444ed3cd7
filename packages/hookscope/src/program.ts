import { Command, CommanderError, InvalidArgumentError } from "commander";

import type { DemoFlags } from "./commands/demo.ts";
import type { RunFlags } from "./commands/run.ts";
import type { TimelineFlags } from "./commands/timeline.ts";
import { CommandError, errorLine, EXIT, type CommandErrorCode } from "./errors.ts";
import type { OutputFlags, Terminal } from "./terminal.ts";

/** Runs one command line to its exit code. Whatever goes wrong becomes one line on standard error. */
export async function runProgram(args: readonly string[], version: string, terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = createProgram(version, terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    // Without a command commander has printed the help.
    if (error instanceof CommanderError && error.code === "commander.help") return EXIT.usage;
    const failure = error instanceof CommanderError ? usageError(error) : error;
    terminal.errors.write(`hookscope: ${errorLine(failure)}\n`);
    return failure instanceof CommandError ? failure.exitCode : EXIT.failed;
  }
}

/** Commands are loaded when they are called: `points` needs neither the loop nor telemetry. */
function createProgram(version: string, terminal: Terminal, done: (exitCode: number) => void): Command {
  const program = new Command("hookscope")
    .description("Runs agent turns and shows every hook invocation in a timeline.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .addHelpText("after", ENVIRONMENT_HELP)
    .configureOutput({
      writeOut: (text) => terminal.output.write(text),
      writeErr: (text) => terminal.errors.write(text),
      outputError: () => {},
    })
    .exitOverride();

  command(program, "demo", "run one scripted turn on a throw-away copy of a small project, and show its timeline")
    .option("--exit", "end after the turn; without a terminal it always does")
    .action(async (flags: DemoFlags) => {
      const { demo } = await import("./commands/demo.ts");
      done(await demo(terminal, flags));
    });
  command(program, "run", "run one turn with a real model in the working directory, and show its timeline")
    .argument("<message>", "what the agent is to do")
    .requiredOption("-m, --model <provider:name>", "anthropic:NAME, openai:NAME, or another provider with --base-url")
    .option("--base-url <url>", "address of an OpenAI-compatible API, or another one for the provider")
    .option("--session <id>", "the session's id; a new one where it is left out")
    .action(async (message: string, flags: RunFlags) => {
      const { run } = await import("./commands/run.ts");
      done(await run(terminal, message, flags));
    });
  command(program, "points", "list the 22 hook points").action(async (flags: OutputFlags) => {
    const { points } = await import("./commands/points.ts");
    done(points(terminal, flags));
  });
  command(program, "timeline", "show the last turn, or a named one, from the local trace store")
    .option("--turn <id>", "the turn to show")
    .option("--session <id>", "the last turn of this session")
    .option("--list", "list turns, the latest first")
    .action(async (flags: TimelineFlags) => {
      const { timeline } = await import("./commands/timeline.ts");
      done(timeline(terminal, flags));
    });
  return program;
}

/** A command with the options that all have. */
function command(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .helpOption("-h, --help", "print help")
    .option("--json", "print one JSON document instead of text")
    .option("--color", "colour even where the output is no terminal")
    .option("--no-color", "no colour")
    .option("--width <columns>", "columns to fill, 40 or more; default: the terminal's, else 80", columns);
}

const ENVIRONMENT_HELP = `
Environment:
  OTEL_EXPORTER_OTLP_ENDPOINT   send spans there as well, for example http://localhost:4318
  HOOKSCOPE_HOME                folder of the local trace store; default ~/.local/state/hookscope
  HOOKSCOPE_JAEGER_URL          a Jaeger's address, to print a link to the trace
  NO_COLOR, FORCE_COLOR         colour never, always
  ANTHROPIC_API_KEY, OPENAI_API_KEY, <PROVIDER>_API_KEY   keys for run --model`;

function columns(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 40 && value <= 1_000) return value;
  throw new InvalidArgumentError("give a whole number from 40 to 1000.");
}

const CODES: Readonly<Record<string, CommandErrorCode>> = {
  "commander.unknownCommand": "COMMAND_UNKNOWN",
  "commander.unknownOption": "COMMAND_OPTION_UNKNOWN",
  "commander.invalidArgument": "COMMAND_OPTION_INVALID",
  "commander.missingArgument": "COMMAND_ARGUMENT_MISSING",
  "commander.optionMissingArgument": "COMMAND_ARGUMENT_MISSING",
  "commander.missingMandatoryOptionValue": "COMMAND_ARGUMENT_MISSING",
  "commander.excessArguments": "COMMAND_ARGUMENT_UNEXPECTED",
};

function usageError(error: CommanderError): CommandError {
  const message = error.message.replace(/^error: /, "").replace(/\n\(Did you mean (.+)\?\)$/, "; did you mean $1?");
  return new CommandError(CODES[error.code] ?? "COMMAND_ARGUMENT_UNEXPECTED", message, { cause: error });
}
