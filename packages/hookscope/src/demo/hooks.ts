import { setTimeout as wait } from "node:timers/promises";

import { createApprovalPolicy, DEFAULT_APPROVAL_RULES, setModState, type AgentMod } from "@hookscope/harness";
import { block, defineHook, modify, type Hook } from "@hookscope/hooks";

/** How long the slow hook takes, really. */
const SLOW_MS = 450;
const RETRY_MS = 120;
const KEPT_LINES = 4;

/** In the order they run. Each is there to be seen in the timeline. */
export const DEMO_HOOKS: readonly Hook[] = [
  createApprovalPolicy({
    rules: [
      {
        name: "documentation",
        tool: "write_file",
        args: { file_path: "^docs/" },
        action: "ask",
        question: "May the agent change the documentation?",
      },
      ...DEFAULT_APPROVAL_RULES,
    ],
  }),
  defineHook({
    name: "danger_guard",
    on: {
      pre_tool_call({ payload: { tool_name: tool, args } }) {
        const command = tool === "shell" ? args["command"] : undefined;
        if (typeof command === "string" && /\brm\b.*\.\./.test(command))
          return block("it deletes files outside the project");
        return undefined;
      },
    },
  }),
  defineHook({
    name: "docs_folder",
    on: {
      pre_tool_call({ payload: { tool_name: tool, args } }) {
        if (tool !== "write_file" || args["file_path"] !== "CHANGELOG.md") return undefined;
        return modify({ args: { file_path: "docs/CHANGELOG.md" } });
      },
    },
  }),
  defineHook({ name: "inbox", on: { pre_gateway_dispatch: () => undefined, post_gateway_admission: () => undefined } }),
  defineHook({
    name: "project_notes",
    on: { pre_llm_call: () => modify({ context: "Amounts are in euros and cents." }) },
  }),
  defineHook({
    name: "retry_soon",
    on: { transform_api_error_classification: () => modify({ retry_after_ms: RETRY_MS }) },
  }),
  defineHook({ name: "live_feed", on: { on_stream_delta: () => undefined } }),
  defineHook({
    name: "slow_archive",
    on: {
      async post_tool_call({ payload: { tool_name: tool } }, { signal }) {
        if (tool === "write_file") await wait(SLOW_MS, undefined, { signal });
      },
    },
  }),
  defineHook({
    name: "last_lines",
    on: {
      transform_tool_result({ payload: { args, result } }) {
        const path = args["file_path"];
        if (typeof path !== "string" || !path.endsWith(".log")) return undefined;
        return modify(result.trimEnd().split("\n").slice(-KEPT_LINES).join("\n"));
      },
    },
  }),
  defineHook({
    name: "pager",
    on: {
      post_approval_response() {
        throw new Error("the pager's webhook answered 500");
      },
    },
  }),
  defineHook({ name: "audit", on: { subagent_stop: () => undefined, on_session_end: () => undefined } }),
];

/** Mods' lifecycle hooks stand in the same timeline. */
export const DEMO_MODS: readonly AgentMod[] = [
  {
    id: "round_counter",
    onTurnStart: ({ state, turnNumber }) =>
      setModState({ state, modId: "round_counter", value: { rounds: turnNumber } }),
  },
  {
    id: "short_output",
    beforeToolCall({ toolName, input }) {
      const command = toolName === "shell" ? input["command"] : undefined;
      return typeof command === "string" && command.startsWith("grep ")
        ? { input: { ...input, command: `${command} | head -n 5` } }
        : undefined;
    },
  },
  {
    id: "loose_ends",
    onStop: ({ lastAssistantText }) =>
      lastAssistantText.includes("left to do") ? { continue: true, reason: "Then do it." } : undefined,
  },
];
