import { createHarness, type ApprovalAnswer, type Tool } from "@hookscope/harness";
import { askUser, createHookBus, defineHook } from "@hookscope/hooks";
import { callTools, createFakeClock, createScriptedModel, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { start } from "./support/lifecycle.ts";
import { OtlpSink, valuesOf } from "./support/otlp-sink.ts";

const HOUR = 3_600_000;

const shell: Tool = {
  name: "shell",
  description: "Runs a command.",
  inputSchema: { type: "object" },
  execute: () => "done",
};

test("with the real loop: the turn that waited an hour and was then denied arrives whole, the plain ones do not", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, turnSampler: { share: 0, slowTurnMs: Infinity } });
  const clock = createFakeClock();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ApprovalAnswer>();
  const policy = defineHook({ name: "policy", on: { pre_tool_call: () => askUser("May it?") } });
  const audit = defineHook({ name: "audit", on: { post_tool_call: () => undefined } });
  const harness = createHarness({
    model: createScriptedModel({ steps: [callTools([{ name: "shell", input: {} }]), reply("So be it.")], clock }),
    tools: [shell],
    bus: createHookBus({ hooks: [policy, audit], clock }),
    approvalTimeoutMs: 2 * HOUR,
    approver: {
      ask() {
        asked.resolve();
        return answer.promise;
      },
    },
  });
  const waiting = harness.run({ userInput: "delete it all" });
  await asked.promise;
  const other = createHarness({
    model: createScriptedModel({ steps: Array.from({ length: 30 }, () => reply("Hello.")), clock }),
    tools: [],
    bus: createHookBus({ clock }),
  });
  for (let index = 0; index < 30; index += 1) await other.run({ userInput: "hello" });
  await clock.advance(HOUR);
  expect(telemetry.exported()).toBe(0);
  answer.resolve("deny");
  const result = await waiting;
  await harness.close();
  await telemetry.flush();
  expect(sink.accepted.map(({ name }) => name)).toEqual([
    "chat scripted-model",
    "pre_tool_call policy",
    "approval shell",
    "post_tool_call audit",
    "execute_tool shell",
    "chat scripted-model",
    "invoke_agent agent",
    "session agent",
  ]);
  const turn = sink.accepted.find(({ name }) => name.startsWith("invoke_agent"));
  const attributes = valuesOf(turn?.attributes ?? []);
  expect(attributes["agent_turn.id"]).toBe(result.turnId);
  expect(attributes["agent_turn.kept_because"]).toBe("block");
  expect(telemetry.sampled()?.sampledOut.turns).toBe(30);
});
