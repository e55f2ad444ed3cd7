import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { NO_USAGE, type ModelClient } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const call = (index: number): { name: string; input: { index: number } } => ({ name: "look", input: { index } });

test("parallel calls run 16 at once; each that ends makes room for the next, and results keep the calls' order", async () => {
  const running = new Map<number, () => void>();
  const most: number[] = [];
  const rig = createRig({
    steps: [callTools(Array.from({ length: 40 }, (_, index) => call(index))), reply("done")],
    tools: [
      tool("look", ({ input }) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.set(Number(input["index"]), resolve);
        most.push(running.size);
        return promise.then(() => `seen ${String(input["index"])}`);
      }),
    ],
    toolExecution: "parallel",
    watchMods: false,
    watch: [],
  });
  const turn = rig.run();
  for (let ended = 0; ended < 40; ended += 1) {
    await rig.clock.advance(0);
    // The one that began last ends first.
    const [index, end] = [...running].at(-1) as [number, () => void];
    running.delete(index);
    end();
  }
  const { state } = await turn;
  expect(Math.max(...most)).toBe(16);
  const texts = state.messages[2]?.content.flatMap((block) => (block.type === "tool_result" ? block.content : []));
  expect(texts?.map(({ text }) => text)).toEqual(Array.from({ length: 40 }, (_, index) => `seen ${index}`));
});

test("an interrupt reaches the calls that run and those that wait: none of these begins", async () => {
  const begun: unknown[] = [];
  const rig = createRig({
    steps: [callTools(Array.from({ length: 40 }, (_, index) => call(index)))],
    tools: [
      tool("look", ({ input }) => {
        begun.push(input["index"]);
        return new Promise<never>(() => undefined);
      }),
    ],
    toolExecution: "parallel",
    watchMods: false,
    watch: [],
  });
  const turn = rig.run();
  await rig.clock.advance(0);
  rig.log.interruption.abort();
  const { stopReason, state } = await turn;
  expect([stopReason, begun]).toEqual(["interrupted", Array.from({ length: 16 }, (_, index) => index)]);
  expect(state.messages[2]?.content.length).toBe(40);
});

test("ten thousand calls in one answer are all answered", async () => {
  let asked = 0;
  const model: ModelClient = {
    provider: "odd",
    model: "odd-1",
    async *stream() {
      asked += 1;
      if (asked === 1) {
        for (let index = 0; index < 10_000; index += 1) {
          yield { type: "tool_call", id: `c${index}`, name: "look", input: "{}" };
        }
      }
      yield { type: "text_delta", text: "done" };
      yield { type: "finish", reason: "end_turn", stop: "stop", usage: NO_USAGE };
    },
  };
  const rig = createRig({
    model,
    tools: [tool("look", "seen")],
    toolExecution: "parallel",
    watchMods: false,
    watch: [],
  });
  const { stopReason, state } = await rig.run();
  expect([stopReason, state.messages[2]?.content.length]).toEqual(["end_turn", 10_000]);
});
