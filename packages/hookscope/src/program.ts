import { suggest } from "@hookscope/hooks/internal";
import { Command, CommanderError } from "commander";

import { declareCommands } from "./commands/declare.ts";
import { CommandError, errorLine, EXIT, type CommandErrorCode } from "./errors.ts";
import type { Terminal } from "./terminal.ts";

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

function createProgram(version: string, terminal: Terminal, done: (exitCode: number) => void): Command {
  const program = new Command("hookscope")
    .description("Runs agent turns and shows every hook invocation in a timeline.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .addHelpText("after", ENVIRONMENT_HELP)
    .configureOutput({
      writeOut: (text) => terminal.output.write(text),
      writeErr: (text) => terminal.errors.write(text),
      outputError: () => {},
    })
    .exitOverride();

  declareCommands(program, terminal, done);
  declareHelp(program);
  return program;
}

/** Commander's own prints everything for a command that there is not, and is content. */
function declareHelp(program: Command): void {
  program
    .command("help")
    .description("print help for a command")
    .argument("[command...]", "the command")
    .helpOption("-h, --help", "print help")
    .action((names: readonly string[]) => find(program, names).help());
}

function find(program: Command, names: readonly string[]): Command {
  return names.reduce((parent, name) => {
    const command = parent.commands.find((child) => child.name() === name);
    if (command !== undefined) return command;
    const near = suggest(
      name,
      parent.commands.map((child) => child.name()),
    );
    throw new CommandError(
      "COMMAND_UNKNOWN",
      `unknown command '${names.join(" ")}'${near === undefined ? "; `hookscope --help` lists them" : `; did you mean ${near}?`}`,
    );
  }, program);
}

const ENVIRONMENT_HELP = `
Environment:
  OTEL_EXPORTER_OTLP_ENDPOINT   send spans there as well: http://localhost:4318
  HOOKSCOPE_HOME                folder for everything of Hookscope; default
                                ~/.local/state/hookscope, and for hookscope.toml
                                and mods ~/.config/hookscope
  HOOKSCOPE_METRICS_TOKEN       what scrapers of /metrics must send as a bearer
                                token
  HOOKSCOPE_JAEGER_URL          a Jaeger's address, to print a link to the trace
  ANTHROPIC_API_KEY, OPENAI_API_KEY, <PROVIDER>_API_KEY
                                keys for run --model
  NO_COLOR, FORCE_COLOR         colour never, always`;

const CODES: Readonly<Record<string, CommandErrorCode>> = {
  "commander.unknownCommand": "COMMAND_UNKNOWN",
  "commander.unknownOption": "COMMAND_OPTION_UNKNOWN",
  "commander.invalidArgument": "COMMAND_OPTION_INVALID",
  "commander.missingArgument": "COMMAND_ARGUMENT_MISSING",
  "commander.optionMissingArgument": "COMMAND_ARGUMENT_MISSING",
  "commander.missingMandatoryOptionValue": "COMMAND_ARGUMENT_MISSING",
  "commander.conflictingOption": "COMMAND_OPTION_INVALID",
  "commander.excessArguments": "COMMAND_ARGUMENT_UNEXPECTED",
};

function usageError(error: CommanderError): CommandError {
  const message = error.message.replace(/^error: /, "").replace(/\n\(Did you mean (.+)\?\)$/, "; did you mean $1?");
  const isBare = error.code === "commander.unknownCommand" && !message.includes("did you mean");
  const advice = isBare ? "; `hookscope --help` lists them" : "";
  return new CommandError(CODES[error.code] ?? "COMMAND_ARGUMENT_UNEXPECTED", `${message}${advice}`, { cause: error });
}
