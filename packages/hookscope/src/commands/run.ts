import { createTerminalApprover, type AgentEventOf, type Received, type Session } from "@hookscope/harness";

import { closeAll } from "../close-all.ts";
import { readConfig, type Config, type ConfigFlags } from "../config/config.ts";
import { CommandError } from "../errors.ts";
import { interruptible, type Interruptible } from "../interruptible.ts";
import { modelFromName } from "../model-from-name.ts";
import { startRecording, type Recording } from "../recording.ts";
import { openLedgerForTurns } from "../runtime/ledger.ts";
import { startMetering, type Metering, type MetricsFlags } from "../runtime/metering.ts";
import { modNotes } from "../runtime/mods.ts";
import { createRuntime, type AgentFlags, type Runtime } from "../runtime/runtime.ts";
import { openSession } from "../sessions.ts";
import { exitCodeOf, showTurn, showUntaken } from "../show-turn.ts";
import { duration } from "../timeline/format.ts";
import { printable } from "../timeline/text.ts";
import { isInteractive, writeLines, type OutputFlags, type Terminal } from "../terminal.ts";

export interface RunFlags extends OutputFlags, ConfigFlags, AgentFlags, MetricsFlags {
  readonly model?: string;
  readonly baseUrl?: string;
  /** An id; false: `--no-session`. */
  readonly session?: string | boolean;
  readonly branch?: string;
}

/** One turn with a real model in the working directory. What is risky is asked about; where nobody can answer, it does not run. */
export async function run(terminal: Terminal, message: string, flags: RunFlags): Promise<number> {
  if (message.trim() === "") throw new CommandError("COMMAND_ARGUMENT_MISSING", "the message is empty.");
  const config = await readConfig(terminal, flags);
  const model = await modelFromName(modelName(flags, config), {
    environment: terminal.environment,
    baseUrl: flags.baseUrl ?? config.settings.agent?.base_url,
  });
  checkBranch(flags);
  const recording = startRecording(terminal, config);
  const open: (() => Promise<void>)[] = [() => recording.close()];
  try {
    const metering = await startMetering({
      config,
      flags,
      recording,
      ledger: openLedgerForTurns(config, recording.say),
    });
    open.push(() => metering.close());
    const session = await openRunSession(terminal, flags, config, recording);
    open.push(() => session.close());
    const turn = { terminal, message, flags, config, model, recording, metering, session };
    const received = await interruptible(terminal, recording.telemetry, (context) => receive(turn, context));
    if (received.outcome !== "turn") return showUntaken(received, { terminal, flags, config, recording });
    const { result } = received;
    const document = await recording.document(result.turnId);
    showTurn({ result, document }, { terminal, flags, config, recording });
    if (flags.json !== true && isDurable(flags, config)) sayHowToGoOn(terminal, session);
    return exitCodeOf(result);
  } finally {
    await closeAll(open);
  }
}

interface TurnRequest {
  readonly terminal: Terminal;
  readonly message: string;
  readonly flags: RunFlags;
  readonly config: Config;
  readonly model: Awaited<ReturnType<typeof modelFromName>>;
  readonly recording: Recording;
  readonly metering: Metering;
  readonly session: Session;
}

async function receive(request: TurnRequest, context: Interruptible): Promise<Received> {
  const { terminal, message, flags, config, model, recording, metering, session } = request;
  const { input, errors, workingDirectory: directory } = terminal;
  const { harness, mods }: Runtime = await createRuntime({
    config,
    flags,
    directory,
    model,
    recording,
    metering,
    session,
    ...(isInteractive(terminal)
      ? { approver: createTerminalApprover({ input, output: errors, onInterrupt: context.interrupt }) }
      : {}),
  });
  for (const note of modNotes(mods.results, directory)) recording.say(`hookscope: ${note}`);
  harness.events.on("api_retry", (retry) => recording.say(`hookscope: ${retryNote(retry)}`));
  try {
    return await harness.receive({ text: message, source: "you", sessionId: session.id, signal: context.signal });
  } finally {
    await harness.close("the command has ended");
  }
}

/** A turn that waits for a provider must not look as if it hung, whoever reads it. */
function retryNote({ attempt, error, delayMs }: AgentEventOf<"api_retry">): string {
  const reason = printable(error).replace(/[.\s]*$/, "");
  return `model call failed: ${reason}. Try ${attempt + 1} follows in ${duration(delayMs)}.`;
}

function modelName(flags: RunFlags, { settings }: Config): string {
  const name = flags.model ?? settings.agent?.model;
  if (name !== undefined) return name;
  throw new CommandError(
    "COMMAND_ARGUMENT_MISSING",
    "run needs a model: give --model provider:name, or set model under [agent] in hookscope.toml.",
  );
}

function checkBranch({ branch, session }: RunFlags): void {
  if (branch === undefined || typeof session === "string") return;
  throw new CommandError(
    "COMMAND_ARGUMENT_MISSING",
    "--branch needs the session that has the entry: give --session too.",
  );
}

function openRunSession(terminal: Terminal, flags: RunFlags, config: Config, recording: Recording): Promise<Session> {
  return openSession({
    id: typeof flags.session === "string" ? flags.session : undefined,
    branch: flags.branch,
    durable: isDurable(flags, config),
    directory: terminal.workingDirectory,
    config,
    logger: recording.logger,
  });
}

/** A session that is named is kept, whatever the file says. */
function isDurable({ session }: RunFlags, { settings }: Config): boolean {
  return typeof session === "string" || (session !== false && settings.sessions?.enabled !== false);
}

function sayHowToGoOn({ output }: Terminal, { id }: Session): void {
  const shown = printable(id);
  writeLines(output, ["", `Session ${shown}: hookscope run --session ${asArgument(shown)} goes on with it.`]);
}

/** As a shell takes it for one word. */
function asArgument(text: string): string {
  return /^[\w.,:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
