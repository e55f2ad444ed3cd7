import {
  builtInTools,
  createAgentState,
  createApprovalPolicy,
  createHarness,
  createTerminalApprover,
  DEFAULT_APPROVAL_RULES,
  type ModelClient,
  type RunResult,
} from "@hookscope/harness";
import { createHookBus } from "@hookscope/hooks";

import { readConfig } from "../config.ts";
import { interruptible, type Interruptible } from "../interruptible.ts";
import { modelFromName } from "../model-from-name.ts";
import { startRecording, type Recording } from "../recording.ts";
import { exitCodeOf, showTurn } from "../show-turn.ts";
import { isInteractive, type OutputFlags, type Terminal } from "../terminal.ts";

export interface RunFlags extends OutputFlags {
  readonly model: string;
  readonly baseUrl?: string;
  readonly session?: string;
}

const SYSTEM_PROMPT =
  "You are a careful assistant at a terminal. Work in the current folder with the tools you have, and be brief.";

/** One turn with a real model in the working directory. What is risky is asked about; where nobody can answer, it does not run. */
export async function run(terminal: Terminal, message: string, flags: RunFlags): Promise<number> {
  const config = readConfig(terminal);
  const model = await modelFromName(flags.model, { environment: terminal.environment, baseUrl: flags.baseUrl });
  const recording = startRecording(terminal, config);
  try {
    const result = await interruptible(terminal, recording.telemetry, (context) =>
      runTurn({ terminal, message, flags, model, recording, context }),
    );
    const document = await recording.document(result.turnId);
    showTurn({ result, document }, { terminal, flags, config, recording });
    return exitCodeOf(result);
  } finally {
    await recording.close();
  }
}

interface TurnRequest {
  readonly terminal: Terminal;
  readonly message: string;
  readonly flags: RunFlags;
  readonly model: ModelClient;
  readonly recording: Recording;
  readonly context: Interruptible;
}

async function runTurn(request: TurnRequest): Promise<RunResult> {
  const { terminal, message, flags, model, recording, context } = request;
  const { input, errors, workingDirectory } = terminal;
  const harness = createHarness({
    agent: "hookscope",
    platform: "terminal",
    model,
    systemPrompt: SYSTEM_PROMPT,
    bus: createHookBus({ hooks: [createApprovalPolicy({ rules: DEFAULT_APPROVAL_RULES })], logger: recording.logger }),
    tools: builtInTools({ root: workingDirectory }),
    ...(isInteractive(terminal)
      ? { approver: createTerminalApprover({ input, output: errors, onInterrupt: context.interrupt }) }
      : {}),
    cwd: workingDirectory,
    recordContent: recording.telemetry.recordContent,
  });
  try {
    const state = flags.session === undefined ? createAgentState() : createAgentState({ sessionId: flags.session });
    return await harness.run({ state, userInput: message, signal: context.signal });
  } finally {
    await harness.close("the command has ended");
  }
}
