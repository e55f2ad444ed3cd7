import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createHarness,
  type AgentEvent,
  type AgentState,
  type HarnessOptions,
  type RunResult,
  type Tool,
} from "@hookscope/harness";
import { createHookBus, type HookInvocation, type JsonObject } from "@hookscope/hooks";
import {
  callTools,
  collectWarnings,
  createScriptedModel,
  reply,
  type Script,
  type ScriptedModel,
} from "@hookscope/testing";
import { afterEach } from "vitest";

import { createUserHooks, type UserHooksConfig, type UserHooksOptions } from "../src/index.ts";

const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

export function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "hookscope-commands-")));
  made.push(path);
  return path;
}

/** A command that runs this JavaScript; `input` is what it was given, read from standard input. */
export function script(directory: string, code: string): string {
  const path = join(directory, `hook-${crypto.randomUUID()}.mjs`);
  writeFileSync(
    path,
    `let text = ""; for await (const part of process.stdin) text += part; const input = JSON.parse(text);\n${code}\n`,
  );
  return `${quoted(process.execPath)} ${quoted(path)}`;
}

/** One word of a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export interface Ran {
  readonly result: RunResult;
  readonly events: readonly AgentEvent[];
  readonly records: readonly HookInvocation[];
  readonly model: ScriptedModel;
  /** What tools ran with. */
  readonly inputs: readonly JsonObject[];
  /** What was logged. */
  readonly warnings: readonly string[];
}

export interface RunOptions extends Partial<UserHooksOptions> {
  readonly steps?: Script;
  readonly harness?: Partial<HarnessOptions>;
  readonly signal?: AbortSignal;
  readonly state?: AgentState;
}

/** One turn with a call of the tool `shell`, and hooks around it. */
export async function runTurn(hooks: UserHooksConfig, options: RunOptions = {}): Promise<Ran> {
  const { steps, harness: more, signal, state, ...rest } = options;
  const logger = collectWarnings();
  const bus = createHookBus({ logger });
  const records: HookInvocation[] = [];
  bus.subscribe((invocation) => records.push(invocation));
  const inputs: JsonObject[] = [];
  const shell: Tool = {
    name: "shell",
    description: "Runs a command.",
    inputSchema: { type: "object" },
    execute({ input }) {
      inputs.push(input as JsonObject);
      return "ran";
    },
  };
  const model = createScriptedModel({
    steps: steps ?? [callTools([{ id: "call_1", name: "shell", input: { command: "ls" } }]), reply("done")],
  });
  const events: AgentEvent[] = [];
  const harness = createHarness({
    model,
    bus,
    tools: [shell],
    mods: createUserHooks({ hooks, cwd: rest.cwd ?? folder(), ...rest }),
    ...more,
  });
  harness.events.subscribe((event) => void events.push(event));
  const result = await harness.run({ userInput: "go", signal, state });
  await harness.close();
  return { result, events, records, model, inputs, warnings: logger.messages };
}

/** The text of the tool's result, as the model sees it. */
export function toolResult({ result }: Ran): string {
  const message = result.state.messages.find(({ content }) => content.some(({ type }) => type === "tool_result"));
  const block = message?.content.find((candidate) => candidate.type === "tool_result");
  return block?.type === "tool_result" ? block.content.map(({ text }) => text).join("|") : "";
}

export const toolHooks = ({ events }: Ran): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "tool_hooks" ? [[event.toolName, event.phase, event.outcome, event.lines]] : [],
  );

export const modErrors = ({ events }: Ran): readonly unknown[] =>
  events.flatMap((event) => (event.type === "mod_error" ? [[event.modId, event.hook, event.error]] : []));
