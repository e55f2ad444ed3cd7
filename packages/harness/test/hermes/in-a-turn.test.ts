import type { Hook } from "@hookscope/hooks";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createHarness, fromHermes, type Approver, type Tool } from "../../src/index.ts";
import { busOf } from "./hermes-bus.ts";

/** The result the model sees, and whether the tool ran. */
async function runTool(hook: Hook, approver?: Approver): Promise<readonly [result: string, ran: boolean]> {
  let ran = false;
  const tool: Tool = {
    name: "deploy",
    description: "",
    inputSchema: { type: "object" },
    execute: () => {
      ran = true;
      return "deployed";
    },
  };
  const model = createScriptedModel({ steps: [callTools([{ id: "1", name: "deploy", input: {} }]), reply("done")] });
  const harness = createHarness({ model, bus: busOf([hook]), tools: [tool], ...(approver && { approver }) });
  await harness.run({ userInput: "go" });
  await harness.close();
  const block = model.requests[1]?.messages.at(-1)?.content[0];
  return [block?.type === "tool_result" ? (block.content[0]?.text ?? "") : "", ran];
}

const approve = fromHermes("plugin", { pre_tool_call: () => ({ action: "approve" }) });

test("H3: an approve calls the approver, who may let the tool run", async () => {
  const questions: string[] = [];
  const approver: Approver = {
    ask: async ({ question }) => {
      questions.push(question);
      return "once";
    },
  };
  expect(await runTool(approve, approver)).toEqual(["deployed", true]);
  expect(questions).toEqual(["Run deploy?"]);
});

test("H4: an approve that a person denies blocks", async () => {
  expect(await runTool(approve, { ask: async () => "deny" })).toEqual(["Blocked: a person denied it", false]);
});

test("an approve with nobody to ask blocks", async () => {
  expect(await runTool(approve)).toEqual(["Blocked: nobody is there to ask", false]);
});

test("H6: the tool of a blocked call never runs, and post_tool_call fires with its status", async () => {
  const seen: unknown[] = [];
  const hook = fromHermes("plugin", {
    pre_tool_call: () => ({ action: "block", message: "not today" }),
    post_tool_call: ({ tool_name, status, result }) => void seen.push([tool_name, status, result]),
  });
  expect(await runTool(hook)).toEqual(["Blocked: not today", false]);
  expect(seen).toEqual([["deploy", "blocked", "Blocked: not today"]]);
});

test("H1: what Hermes ignores lets the tool run", async () => {
  expect(await runTool(fromHermes("plugin", { pre_tool_call: () => ({ action: "deny" }) }))).toEqual([
    "deployed",
    true,
  ]);
});
