import { ATTRIBUTES, block } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, policy, tool } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";

const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
const CONTENT = Object.entries(ATTRIBUTES).flatMap(([key, row]) => (row.content === true ? [key] : []));

async function run(recordContent?: boolean): Promise<ReturnType<typeof recordSpans>> {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [
      callTools([{ name: "shell", input: { command: `login ${SECRET}`, password: "hunter22" }, id: "c1" }]),
      reply("done"),
    ],
    tools: [tool("shell", `logged in with ${SECRET}`)],
    systemPrompt: `use ${SECRET}`,
    watch: [],
    watchMods: false,
    ...(recordContent === undefined ? {} : { recordContent }),
  });
  await rig.run("log in");
  return telemetry;
}

test("content is off: no span carries any of it", async () => {
  const telemetry = await run();
  const carried = telemetry
    .spans()
    .flatMap(({ attributes }) => Object.keys(attributes).filter((key) => CONTENT.includes(key)));
  expect(carried).toEqual([]);
});

test("content is on: messages, system prompt, arguments and results stand as redacted JSON", async () => {
  const telemetry = await run(true);
  const carried = telemetry.spans().map(({ name, attributes }) => {
    const content = Object.entries(attributes).filter(([key]) => CONTENT.includes(key));
    return [
      name,
      Object.fromEntries(content.map(([key, value]): [string, unknown] => [key, JSON.parse(String(value))])),
    ];
  });
  const input = { command: "login [redacted:github_token]", password: "[redacted]" };
  const user = { role: "user", parts: [{ type: "text", content: "log in" }] };
  const asked = { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "shell", arguments: input }] };
  const answered = {
    role: "user",
    parts: [{ type: "tool_call_response", id: "c1", response: "logged in with [redacted:github_token]" }],
  };
  const done = { role: "assistant", parts: [{ type: "text", content: "done" }] };
  const system = [{ type: "text", content: "use [redacted:github_token]" }];
  expect(carried).toEqual([
    ["invoke_agent agent", { "gen_ai.input.messages": [user], "gen_ai.output.messages": [done] }],
    [
      "chat scripted-model",
      {
        "gen_ai.system_instructions": system,
        "gen_ai.input.messages": [user],
        "gen_ai.output.messages": [asked],
      },
    ],
    [
      "execute_tool shell",
      {
        "gen_ai.tool.call.arguments": input,
        "gen_ai.tool.call.result": "logged in with [redacted:github_token]",
      },
    ],
    [
      "chat scripted-model",
      {
        "gen_ai.system_instructions": system,
        "gen_ai.input.messages": [user, asked, answered],
        "gen_ai.output.messages": [done],
      },
    ],
  ]);
});

test.for([false, true])("a secret reaches no span, with content recorded: %s", async (recordContent) => {
  const telemetry = await run(recordContent);
  const all = JSON.stringify(telemetry.spans());
  expect([all.includes(SECRET), all.includes("hunter22")]).toEqual([false, false]);
});

test("a secret in a reason, a question or an error reaches no span", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [callTools(["shell", "write", "read"].map((name) => ({ name, input: {} }))), reply("done")],
    tools: [
      tool("shell", () => {
        throw new Error(`refused ${SECRET}`);
      }),
      tool("write"),
      tool("read"),
    ],
    approver: { ask: async () => "deny" },
    hooks: [
      policy(({ payload }) => {
        if (payload.tool_name === "write") return block(`no ${SECRET}`);
        return payload.tool_name === "read" ? { decision: "ask_user", question: `with ${SECRET}?` } : undefined;
      }),
    ],
    mods: [
      {
        id: "broken",
        onTurnStart: () => {
          throw new Error(`broken ${SECRET}`);
        },
      },
    ],
  });
  await rig.run();
  expect(JSON.stringify(telemetry.spans()).includes(SECRET)).toBe(false);
});
