import { block } from "@hookscope/hooks";
import { callTools, failWith, hang, malformedToolCall, reply } from "@hookscope/testing";

import { MOD_HOOK_NAMES, type AgentMod } from "../../src/index.ts";
import { policy, tool, type Rig, type RigOptions } from "../support/rig.ts";

/** Turns that together have every event of the loop. */
export interface Scenario {
  readonly options: () => RigOptions;
  readonly turn?: (rig: Rig) => Promise<unknown>;
}

export const PLAIN: Scenario = {
  options: () => ({ steps: [reply("hi", { chunks: 1, thinking: "so" })], mods: [broken("odd")] }),
  async turn(rig) {
    await rig.run();
    await rig.harness.close();
  },
};

export const TOOLS: Scenario = {
  options: () => ({
    steps: [
      failWith({ statusCode: 529, retryable: true, type: "overloaded", afterText: "h" }),
      malformedToolCall("look", "null"),
      callTools([
        ...["look", "none", "stopped"].map((name) => ({ name, input: {} })),
        { name: "fix", input: { path: "a" } },
      ]),
      reply("", { chunks: 1 }),
      reply("done", { chunks: 1 }),
    ],
    retry: { silentFirst: false },
    tools: [
      tool("look", (call) => {
        call.onUpdate("half");
        return "seen";
      }),
      tool("fix", "fixed", {
        inputSchema: {
          type: "object",
          properties: { file_path: { type: "string" } },
          required: ["file_path"],
          additionalProperties: false,
        },
      }),
      tool("stopped"),
    ],
    hooks: [policy(({ payload }) => (payload.tool_name === "stopped" ? block("no") : undefined))],
    mods: [
      broken("odd", ["beforeToolCall", "afterToolCall", "prepareNextTurn"]),
      { id: "slot", afterToolCall: ({ toolName }) => (toolName === "fix" ? { modState: { odd: 1n } } : undefined) },
    ],
  }),
  async turn(rig) {
    const running = rig.run();
    await rig.clock.advance(60_000);
    await running;
  },
};

export const SUBAGENT: Scenario = {
  options: () => ({
    steps: [
      callTools([{ name: "agent", input: { subagent_type: "scout", prompt: "look" } }]),
      reply("done", { chunks: 1 }),
    ],
    scripts: [
      {
        when: ({ system }) => system === "scout",
        steps: [callTools([{ name: "look", input: {} }]), reply("seen", { chunks: 1 })],
      },
    ],
    subagents: { scout: { description: "looks", systemPrompt: "scout" } },
    tools: [tool("look")],
    mods: [broken("odd", ["onStop"])],
  }),
};

export const FAILED: Scenario = {
  options: () => ({ steps: [failWith({ statusCode: 401, retryable: false, type: "authentication" })] }),
};

export const INTERRUPTED: Scenario = {
  options: () => ({
    steps: [callTools([{ name: "look", input: {} }]), hang({ afterText: "h" })],
    tools: [tool("look")],
  }),
  turn(rig) {
    rig.harness.events.on("text_delta", () => rig.log.interruption.abort());
    return rig.run();
  },
};

export const DENIED: Scenario = {
  options: () => ({
    steps: [callTools([{ name: "look", input: {} }])],
    tools: [tool("look")],
    permissions: { check: () => ({ decision: "deny" }) },
  }),
};

export const LISTENER: Scenario = {
  options: () => ({ steps: [reply("hi", { chunks: 1 })] }),
  turn(rig) {
    const fail = (): never => {
      throw new Error("no");
    };
    rig.harness.events.on("model_request_end", fail, { modId: "odd" });
    return rig.run();
  },
};

/** Each of its hooks fails. */
function broken(id: string, hooks: readonly string[] = MOD_HOOK_NAMES): AgentMod {
  const fail = (): never => {
    throw new Error("no");
  };
  return { id, ...Object.fromEntries(hooks.map((hook) => [hook, fail])) };
}
