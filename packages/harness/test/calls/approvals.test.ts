import { askUser, defineHook, modify, type ApprovalChoice, type ApprovalRequestPayload } from "@hookscope/hooks";
import { callTools, reply, type Script } from "@hookscope/testing";
import { expect, test } from "vitest";

import type { ApprovalAnswer, Approver } from "../../src/index.ts";
import { createRig, policy, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: { command: "ls" } }]);
const TWO_CALLS = callTools(["shell", "read"].map((name) => ({ name, input: {} })));

interface Asking extends Rig {
  readonly choices: readonly (readonly [ApprovalChoice, number])[];
}

function asking(approver: Approver | undefined, steps: Script, options: RigOptions = {}): Asking {
  const choices: (readonly [ApprovalChoice, number])[] = [];
  const watch = defineHook({
    name: "audit",
    on: { post_approval_response: ({ payload }) => void choices.push([payload.choice, payload.wait_ms]) },
  });
  const rig = createRig({
    steps: [...steps, reply("done")],
    tools: [tool("shell"), tool("read")],
    watchMods: false,
    ...(approver && { approver }),
    ...options,
    hooks: [policy(({ payload }) => askUser(`Run ${payload.tool_name}?`)), watch],
  });
  return { ...rig, choices };
}

const asked = ({ log }: Rig): readonly string[] => log.only("▶", "● pre_approval_request", "● post_approval_response");

test("the question carries what would run, who asks, and an id that the answer carries too", async () => {
  const requests: ApprovalRequestPayload[] = [];
  const rig = asking(
    {
      ask: async (request) => {
        requests.push(request);
        return "once";
      },
    },
    [callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }])],
  );
  await rig.run();
  expect(requests).toEqual([
    {
      approval_id: expect.any(String),
      tool_name: "shell",
      args: { command: "ls" },
      risk: "unknown",
      question: "Run shell?",
      hook: "policy",
      call_id: "c1",
    },
  ]);
});

test("an approver that throws could not ask: unavailable, and the call does not run", async () => {
  const rig = asking({ ask: () => Promise.reject(new Error("no terminal")) }, [CALL]);
  await rig.run();
  expect(rig.choices).toEqual([["unavailable", 0]]);
  expect(rig.log.only("▶ shell")).toEqual([]);
});

test.for([undefined, "yes", true, { choice: "once" }])(
  "an approver that answers nonsense did not allow anything: %j",
  async (answer) => {
    const rig = asking({ ask: async () => answer as ApprovalAnswer }, [CALL]);
    await rig.run();
    expect(rig.choices).toEqual([["deny", 0]]);
    expect(rig.log.only("▶ shell")).toEqual([]);
  },
);

test("without an approver the answer is unavailable", async () => {
  const rig = asking(undefined, [CALL]);
  await rig.run();
  expect(rig.choices).toEqual([["unavailable", 0]]);
});

test("a person has 5 minutes, whatever the limit of hooks; then it is a timeout, and the approver is told", async () => {
  let told: AbortSignal | undefined;
  const rig = asking(
    {
      ask: (_, { signal }) => {
        told = signal;
        return new Promise<never>(() => undefined);
      },
    },
    [CALL],
  );
  const running = rig.run();
  await rig.clock.advance(299_999);
  expect([rig.choices, told?.aborted]).toEqual([[], false]);
  await rig.clock.advance(1);
  await running;
  expect([rig.choices, told?.aborted]).toEqual([[["timeout", 300_000]], true]);
});

test("the wait for a person can be set", async () => {
  const rig = asking({ ask: () => new Promise<never>(() => undefined) }, [CALL], { approvalTimeoutMs: 10 });
  const running = rig.run();
  await rig.clock.advance(10);
  await running;
  expect(rig.choices).toEqual([["timeout", 10]]);
});

test("parallel calls: a person is asked one question at a time, in order", async () => {
  const open: ((answer: ApprovalAnswer) => void)[] = [];
  const ask = (): Promise<ApprovalAnswer> => new Promise((resolve) => void open.push(resolve));
  const rig = asking({ ask }, [TWO_CALLS], { toolExecution: "parallel" });
  const running = rig.run();
  await rig.clock.advance(7);
  expect(asked(rig)).toEqual(["▶ model", "● pre_approval_request", "▶ ask Run shell?"]);
  open[0]?.("once");
  await rig.clock.advance(5);
  open[1]?.("deny");
  await running;
  expect(asked(rig)).toEqual([
    "▶ model",
    "● pre_approval_request",
    "▶ ask Run shell?",
    "● post_approval_response",
    "● post_approval_response audit",
    "● pre_approval_request",
    "▶ shell",
    "▶ ask Run read?",
    "● post_approval_response",
    "● post_approval_response audit",
    "▶ model",
  ]);
  expect(rig.choices).toEqual([
    ["once", 7],
    ["deny", 5],
  ]);
});

test("a subagent and its parent's other calls share one person", async () => {
  const open: (() => void)[] = [];
  const ask = (): Promise<ApprovalAnswer> => new Promise((resolve) => void open.push(() => resolve("once")));
  const agent = { name: "agent", input: { subagent_type: "helper", prompt: "read" } };
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }, agent]), reply("done")],
    scripts: [
      {
        when: ({ system }) => system === "help",
        steps: [callTools([{ name: "read", input: {} }]), reply("read")],
      },
    ],
    tools: [tool("shell"), tool("read")],
    subagents: { helper: { description: "helps", systemPrompt: "help" } },
    toolExecution: "parallel",
    approver: { ask },
    hooks: [
      policy(({ payload }) => (payload.tool_name === "agent" ? undefined : askUser(`Run ${payload.tool_name}?`))),
    ],
    watchMods: false,
  });
  const running = rig.run();
  await rig.clock.advance(0);
  expect(rig.log.only("▶ ask")).toEqual(["▶ ask Run shell?"]);
  open[0]?.();
  await rig.clock.advance(0);
  expect(rig.log.only("▶ ask")).toEqual(["▶ ask Run shell?", "▶ ask Run read?"]);
  open[1]?.();
  expect((await running).stopReason).toBe("end_turn");
});

test("an interrupt answers the open question `cancelled`; questions behind it are not put", async () => {
  const rig = asking({ ask: () => new Promise<never>(() => undefined) }, [TWO_CALLS], {
    toolExecution: "parallel",
    interruptAt: "▶ ask Run shell?",
  });
  await rig.run();
  expect(asked(rig)).toEqual([
    "▶ model",
    "● pre_approval_request",
    "▶ ask Run shell?",
    "● post_approval_response",
    "● post_approval_response audit",
  ]);
  expect(rig.choices).toEqual([["cancelled", 0]]);
});

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
