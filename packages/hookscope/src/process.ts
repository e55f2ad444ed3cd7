import { Console } from "node:console";
import { homedir } from "node:os";

import { CommandError, errorLine, EXIT } from "./errors.ts";
import { runProgram } from "./program.ts";

/** Runs the command line of this process, and ends it. */
export async function runProcess(version: string): Promise<void> {
  const { stdin: input, stdout: output, stderr: errors } = process;
  // Standard output is for results: what hooks, mods or an exporter write to the console must not mix with them.
  globalThis.console = new Console({ stdout: errors, stderr: errors });
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") fail(error);
    // The reader went away (`| head`): a turn that runs is ended as an interrupt ends it, anything else ends by itself.
    process.emit("SIGINT");
  });
  // What cannot be said cannot be said; the results still can.
  errors.on("error", () => undefined);
  const exitCode = await runProgram(process.argv.slice(2), version, {
    environment: process.env,
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
    input,
    output,
    errors,
    onInterrupt(listener) {
      process.on("SIGINT", listener);
      return () => process.off("SIGINT", listener);
    },
  });
  // What was written must be out; an export that is still being tried again must not keep the process.
  await Promise.all([written(output), written(errors)]);
  process.exit(exitCode);
}

/** A disk that is full, most likely: what was to be read is not there, and that must not look like success. */
function fail(error: Error): never {
  process.stderr.write(`hookscope: ${errorLine(new CommandError("COMMAND_OUTPUT_FAILED", outputProblem(error)))}\n`);
  process.exit(EXIT.failed);
}

function outputProblem({ message }: Error): string {
  return `standard output cannot be written: ${message}. What was printed is not whole.`;
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => stream.write("", () => done()));
}
