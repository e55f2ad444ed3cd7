import { askUser, defineHook, type ApprovalChoice, type ApprovalRequestPayload } from "@hookscope/hooks";
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
