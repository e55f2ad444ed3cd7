import { askUser, modify } from "@hookscope/hooks";
import { callTools, reply, type Script } from "@hookscope/testing";
import { expect, test } from "vitest";

import type { Approver } from "../../src/index.ts";
import { createRig, policy, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: { command: "ls" } }]);
const TWO_CALLS = callTools(["shell", "read"].map((name) => ({ name, input: {} })));

function asking(approver: Approver, steps: Script, options: RigOptions = {}): Rig {
  return createRig({
    steps: [...steps, reply("done")],
    tools: [tool("shell"), tool("read")],
    watchMods: false,
    approver,
    ...options,
    hooks: [policy(({ payload }) => askUser(`Run ${payload.tool_name}?`))],
  });
}

test("`session`: the same question about the same call is not put again in that session", async () => {
  const rig = asking({ ask: async () => "session" }, [CALL, CALL]);
  const { state } = await rig.run();
  expect(rig.log.only("▶ ask", "▶ shell")).toEqual(["▶ ask Run shell?", "▶ shell", "▶ shell"]);
  expect(state.messages.length).toBe(6);
});

test("`session` holds for that session only, `always` for every session", async () => {
  for (const [answer, times] of [
    ["session", 2],
    ["always", 1],
    ["once", 2],
  ] as const) {
    const rig = asking({ ask: async () => answer }, [CALL, reply("one"), CALL]);
    await rig.run();
    await rig.run();
    expect([answer, rig.log.only("▶ ask").length]).toEqual([answer, times]);
  }
});

test("`session` is the person's session, in a subagent too", async () => {
  const agent = callTools([{ name: "agent", input: { subagent_type: "helper", prompt: "read" } }]);
  const read = callTools([{ name: "read", input: {} }]);
  const rig = createRig({
    steps: [agent, read, reply("done")],
    scripts: [{ when: ({ system }) => system === "help", steps: [read, reply("read")] }],
    tools: [tool("read")],
    subagents: { helper: { description: "helps", systemPrompt: "help" } },
    approver: { ask: async () => "session" },
    hooks: [policy(({ payload }) => (payload.tool_name === "read" ? askUser("Read it?") : undefined))],
    watchMods: false,
  });
  await rig.run();
  expect(rig.log.only("▶ ask", "▶ read")).toEqual(["▶ ask Read it?", "▶ read", "▶ read"]);
});

test("`session` also answers the question of an equal call that waits behind it", async () => {
  const twice = callTools(["shell", "shell"].map((name) => ({ name, input: {} })));
  const rig = asking({ ask: async () => "session" }, [twice], { toolExecution: "parallel" });
  await rig.run();
  expect(rig.log.only("▶ ask", "▶ shell")).toEqual(["▶ ask Run shell?", "▶ shell", "▶ shell"]);
});

test("what was remembered for a hook's question is no answer to the permissions' own", async () => {
  const rig = asking({ ask: async (request) => (request.hook === "policy" ? "always" : "once") }, [CALL, CALL], {
    permissions: { check: () => ({ decision: "ask", question: "Really?" }) },
  });
  await rig.run();
  expect(rig.log.only("▶ ask", "▶ shell")).toEqual(["▶ ask Run shell?", "▶ shell", "▶ ask Really?", "▶ shell"]);
});

test("another question of the same tool is put all the same", async () => {
  const rig = asking({ ask: async () => "always" }, [TWO_CALLS]);
  await rig.run();
  expect(rig.log.only("▶ ask")).toEqual(["▶ ask Run shell?", "▶ ask Run read?"]);
});

test.for(["session", "always"] as const)(
  "`%s` holds for the call the person saw: with other arguments of the same tool the same question is put again",
  async (answer) => {
    const inputs = [
      { command: "rm -rf x" },
      { command: "rm -rf /" },
      { command: "rm -rf x", timeout_ms: 5 },
      {},
      { command: "rm -rf x" },
    ];
    const calls = inputs.map((input) => callTools([{ name: "shell", input }]));
    const asked: unknown[] = [];
    const rig = asking(
      {
        ask: async ({ args }) => {
          asked.push(args);
          return answer;
        },
      },
      calls,
    );
    await rig.run();
    expect(asked).toEqual(inputs.slice(0, 4));
    expect(rig.log.only("▶ shell").length).toBe(5);
  },
);

test("what a person approved is the call that would run: the same wish rewritten into another call is asked about", async () => {
  let times = 0;
  const rewrite = policy(() => {
    times += 1;
    return times === 1 ? undefined : modify({ args: { command: "ls /" } });
  }, "rewrite");
  const rig = createRig({
    steps: [CALL, CALL, reply("done")],
    tools: [tool("shell")],
    approver: { ask: async () => "always" },
    hooks: [rewrite, policy(() => askUser("Run it?"))],
    watchMods: false,
  });
  await rig.run();
  expect(rig.log.only("▶ ask")).toEqual(["▶ ask Run it?", "▶ ask Run it?"]);
});

test("the order of a call's arguments makes no other call of it", async () => {
  const inputs = [
    { command: "ls", options: { all: true, long: [1, 2] } },
    { options: { long: [1, 2], all: true }, command: "ls" },
    { options: { long: [2, 1], all: true }, command: "ls" },
  ];
  const rig = asking(
    { ask: async () => "session" },
    inputs.map((input) => callTools([{ name: "shell", input }])),
  );
  await rig.run();
  expect(rig.log.only("▶ ask", "▶ shell")).toEqual([
    "▶ ask Run shell?",
    "▶ shell",
    "▶ shell",
    "▶ ask Run shell?",
    "▶ shell",
  ]);
});
