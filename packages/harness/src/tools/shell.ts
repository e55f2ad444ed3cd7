import { createSystemClock, type Clock } from "@hookscope/hooks";

import { COUNT, DURATION_MS, type FieldRules } from "../field-rules.ts";
import type { Tool, ToolOutput } from "../tool.ts";
import { childEnvironment } from "./child-environment.ts";
import { countField, textField } from "./input.ts";
import { runCommand, type CommandResult } from "./run-command.ts";
import { commandRisk } from "./shell-risk.ts";
import { Throttle } from "./throttle.ts";
import { checkToolOptions, CLOCK, ENVIRONMENT, ROOT } from "./tool-options.ts";
import { Workspace } from "./workspace.ts";

export interface ShellOptions {
  /** The folder commands start in. They are not confined to it: an approval policy or a sandbox is for that. */
  readonly root: string;
  /** Variables beside PATH, HOME, LANG, TERM, TMPDIR and USER. */
  readonly env?: Readonly<Record<string, string>>;
  /** The limit of a command that sets none, in milliseconds; 120,000. */
  readonly timeoutMs?: number;
  /** The longest limit a command may set, in milliseconds; 600,000. */
  readonly maxTimeoutMs?: number;
  /** Output past this is cut in the middle, in bytes; 65,536. */
  readonly maxOutputBytes?: number;
  /** Between SIGTERM and SIGKILL, in milliseconds; 2,000. */
  readonly killAfterMs?: number;
  /** How long output is waited for after the shell has ended, in milliseconds; 200. */
  readonly drainMs?: number;
  /** The shortest time between two progress updates, in milliseconds; 250. */
  readonly updateEveryMs?: number;
  readonly clock?: Clock;
}

/** `shell`: a command of `/bin/sh`. POSIX only. @throws HarnessError HARNESS_OPTION_INVALID */
export function shellTool(options: ShellOptions): Tool {
  checkToolOptions(options, OPTIONS);
  const { timeoutMs = 120_000, maxTimeoutMs = 600_000, clock = createSystemClock() } = options;
  const workspace = new Workspace(options.root);
  return {
    name: "shell",
    description:
      "Runs a command by /bin/sh in the working directory, without input. Gives its output and its exit code. Processes it leaves in the background are ended with it.",
    inputSchema: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1 },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: maxTimeoutMs,
          description: `Milliseconds; ${timeoutMs} by default`,
        },
      },
      required: ["command"],
      additionalProperties: false,
    },
    risk: ({ command }) => (typeof command === "string" ? commandRisk(command) : "unknown"),
    async execute(call) {
      const { input, signal, parent } = call;
      const updates = new Throttle(clock, options.updateEveryMs ?? 250);
      try {
        const result = await runCommand({
          command: textField(input, "command"),
          cwd: workspace.root,
          env: childEnvironment(options.env ?? {}, parent),
          timeoutMs: countField(input, "timeout_ms", timeoutMs, maxTimeoutMs),
          killAfterMs: options.killAfterMs ?? 2_000,
          drainMs: options.drainMs ?? 200,
          maxOutputBytes: options.maxOutputBytes ?? 65_536,
          clock,
          signal,
          onOutput: (output) => updates.push(() => call.onUpdate(output.lastText(UPDATE_BYTES))),
        });
        return describeResult(result);
      } finally {
        updates.stop();
      }
    },
  };
}

const OPTIONS: FieldRules<ShellOptions> = {
  root: ROOT,
  env: ENVIRONMENT,
  timeoutMs: DURATION_MS,
  maxTimeoutMs: DURATION_MS,
  maxOutputBytes: COUNT,
  killAfterMs: DURATION_MS,
  drainMs: DURATION_MS,
  updateEveryMs: DURATION_MS,
  clock: CLOCK,
};

/** Progress is the end of the output so far. */
const UPDATE_BYTES = 4_096;

function describeResult({ output, exitCode, signal, timedOut }: CommandResult): ToolOutput {
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  const how = signal === null ? `exit code ${exitCode ?? "unknown"}` : `ended by ${signal}`;
  const content = `${output}${gap}[${timedOut ? "took too long and was stopped; " : ""}${how}]`;
  return { content, isError: exitCode !== 0 || timedOut };
}
