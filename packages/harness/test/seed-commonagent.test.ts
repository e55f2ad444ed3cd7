import {
  askUser,
  block,
  defineHook,
  HOOK_POINT_NAMES,
  HOOK_POINTS,
  modify,
  type Hook,
  type HookEvent,
  type HookPoint,
} from "@hookscope/hooks";
import { callTools, failWith, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { text } from "../src/index.ts";
import { createRig, policy, tool, type Rig, type RigOptions } from "./support/rig.ts";

const CALL = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);

function rigWith(options: RigOptions): Rig {
  return createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell", "ran")],
    watchMods: false,
    watch: [],
    ...options,
  });
}

/** A turn in which every point but the reserved ones fires, and what each of them was given. */
async function everyPoint(): Promise<{ readonly events: readonly HookEvent[]; readonly rig: Rig }> {
  const events: HookEvent[] = [];
  const all: Hook = {
    name: "all",
    points: HOOK_POINT_NAMES.filter((point) => point !== "post_compaction"),
    call: (event) => {
      events.push(event);
      return event.point === "pre_tool_call" && event.payload.tool_name === "shell" ? askUser("Run it?") : undefined;
    },
  };
  const rig = rigWith({
    steps: [
      failWith({ statusCode: 529, retryable: true, type: "overloaded" }),
      callTools([
        { name: "shell", input: { command: "ls" }, id: "c1" },
        { name: "agent", input: { subagent_type: "helper", prompt: "help" }, id: "a1" },
      ]),
      reply("done", { chunks: 1 }),
    ],
    scripts: [{ when: ({ system }) => system === "help", steps: [reply("helped", { chunks: 1 })] }],
    subagents: { helper: { description: "helps", systemPrompt: "help" } },
    approver: { ask: async () => "once" },
    retry: { baseDelayMs: 1 },
    tags: [{ key: "client", value: "one" }],
    hooks: [all],
  });
  const running = rig.harness.receive({ text: "hello", source: "someone", platform: "telegram" });
  await rig.clock.advance(10);
  await running;
  const interrupted = new AbortController();
  interrupted.abort();
  await rig.harness.run({ userInput: "more", signal: interrupted.signal });
  await rig.harness.close();
  return { events, rig };
}

describe("Hook points", () => {
  const OF_ONE_MESSAGE: readonly HookPoint[] = [
    "pre_gateway_dispatch",
    "post_gateway_admission",
    "on_session_start",
    "pre_llm_call",
    "pre_api_request",
    "api_request_error",
    "transform_api_error_classification",
    "pre_api_request",
    "post_api_request",
    "pre_tool_call",
    "pre_approval_request",
    "post_approval_response",
    "post_tool_call",
    "transform_tool_result",
    "pre_tool_call",
    "subagent_start",
    "on_session_start",
    "pre_llm_call",
    "pre_api_request",
    "post_api_request",
    "transform_llm_output",
    "post_llm_call",
    "on_session_end",
    "subagent_stop",
    "post_tool_call",
    "transform_tool_result",
    "pre_api_request",
    "post_api_request",
    "transform_llm_output",
    "post_llm_call",
    "on_session_end",
  ];

  test("To see these fire in order for one message", async () => {
    const { events } = await everyPoint();
    const points = events.map(({ point }) => point).filter((point) => point !== "on_stream_delta");
    expect(points).toEqual([
      ...OF_ONE_MESSAGE,
      "agent_loop_stopped",
      "on_session_end",
      "on_session_finalize",
      "on_session_finalize",
    ]);
  });

  test("every point fires as a turn runs, but for the one of compaction, which needs a long conversation", async () => {
    const { events } = await everyPoint();
    const fired = new Set(events.map(({ point }) => point));
    expect(HOOK_POINT_NAMES.filter((point) => !fired.has(point))).toEqual(["post_compaction"]);
  });

  test("each payload has the fields the table names, and no other", async () => {
    const { events } = await everyPoint();
    const wrong = events.flatMap(({ point, payload }) => {
      const named = HOOK_POINTS[point].payload as Record<string, string>;
      const unknown = Object.keys(payload).filter((field) => !(field in named));
      const missing = Object.keys(named).filter(
        (field) => !(named[field] ?? "").includes("undefined") && !(field in payload),
      );
      return [...unknown, ...missing].map((field) => `${point} ${field}`);
    });
    expect(wrong).toEqual([]);
  });

  test("Every event also carries the turn's TurnInfo in event.turn, except the two gateway hooks", async () => {
    const { events } = await everyPoint();
    const without = events.filter(({ turn }) => turn === undefined).map(({ point }) => point);
    expect(without).toEqual(["pre_gateway_dispatch", "post_gateway_admission"]);
    const tags = new Set(events.map(({ turn }) => JSON.stringify(turn?.tags)));
    expect(tags).toEqual(new Set([undefined, '[{"key":"client","value":"one"}]']));
  });

  test("pre_llm_call: once per turn, before the loop", async () => {
    const rig = rigWith({ watch: ["pre_llm_call", "pre_api_request"] });
    await rig.run();
    expect(rig.log.only("●")).toEqual(["● pre_llm_call", "● pre_api_request", "● pre_api_request"]);
  });

  test("post_tool_call: each result, including blocked and failed calls", async () => {
    const statuses: string[] = [];
    const rig = rigWith({
      steps: [callTools(["shell", "broken", "blocked"].map((name) => ({ name, input: {} }))), reply("done")],
      tools: [
        tool("shell"),
        tool("blocked"),
        tool("broken", () => {
          throw new Error("no");
        }),
      ],
      hooks: [
        policy(({ payload }) => (payload.tool_name === "blocked" ? block("no") : undefined)),
        defineHook({ name: "audit", on: { post_tool_call: ({ payload }) => void statuses.push(payload.status) } }),
      ],
    });
    await rig.run();
    expect(statuses).toEqual(["ok", "error", "blocked"]);
  });

  test("transform_tool_result: after post_tool_call; the model sees the replacement", async () => {
    const seen: string[] = [];
    const rig = rigWith({
      hooks: [
        defineHook({
          name: "cut",
          on: {
            post_tool_call: ({ payload }) => void seen.push(payload.result),
            transform_tool_result: () => modify("shortened"),
          },
        }),
      ],
    });
    const { state } = await rig.run();
    expect(rig.log.only("●")).toEqual(["● post_tool_call cut", "● transform_tool_result cut"]);
    expect([seen, state.messages[2]?.content]).toMatchObject([["ran"], [{ content: [text("shortened")] }]]);
  });

  test("transform_llm_output: before the reply is returned", async () => {
    const rig = rigWith({
      hooks: [
        defineHook({
          name: "sign",
          on: { transform_llm_output: ({ payload }) => modify(`${payload.response_text}!`) },
        }),
      ],
    });
    expect((await rig.run()).finalText).toBe("done!");
  });
});
