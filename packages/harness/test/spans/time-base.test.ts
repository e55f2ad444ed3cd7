import { callTools, createFakeClock, reply, type FakeClock } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";

const HOUR_MS = 3_600_000;

/** A clock that finds the wall clock set back by an hour each time it looks. */
function createClockSetBack(): { readonly clock: FakeClock; readonly anchors: () => number } {
  const fake = createFakeClock();
  let anchors = 0;
  const clock = {
    ...fake,
    now: () => fake.now() - anchors * HOUR_MS,
    anchor: () => void (anchors += 1),
  };
  return { clock, anchors: () => anchors };
}

const quiet = { watch: [], watchMods: false } as const;

test("a turn and its subagents have one time base, whatever happens to the wall clock meanwhile", async () => {
  const telemetry = recordSpans();
  const { clock, anchors } = createClockSetBack();
  const rig = createRig({
    ...quiet,
    clock,
    steps: [
      callTools([{ name: "agent", input: { subagent_type: "helper", prompt: "help me" }, id: "a1" }]),
      reply("done"),
    ],
    scripts: [{ when: ({ system }) => system === "help", steps: [reply("helped")] }],
    subagents: { helper: { description: "helps", systemPrompt: "help" } },
  });
  await rig.run();
  const [root] = telemetry.spans();
  const times = telemetry.spans().map(({ name, startTime, endTime }) => [name, startTime, endTime]);
  expect(times).toEqual(times.map(([name]) => [name, root?.startTime, root?.startTime]));
  expect([times.length, anchors()]).toEqual([6, 1]);
});

test("a turn that starts beside another does not move that one's time: its hooks' limits hold", async () => {
  const { clock, anchors } = createClockSetBack();
  const executions: string[] = [];
  const rig = createRig({
    ...quiet,
    clock,
    steps: [reply("one"), reply("two"), reply("three")],
    hooks: [{ name: "hangs", points: ["pre_llm_call"], timeoutMs: 1_000, call: () => new Promise(() => {}) }],
  });
  rig.bus.subscribe(({ hook, execution }) => void executions.push(`${hook} ${execution}`));
  const first = rig.run("one");
  await clock.advance(500);
  const second = rig.run("two");
  await clock.advance(500);
  expect(executions).toEqual(["hangs timeout"]);
  await clock.advance(500);
  await Promise.all([first, second]);
  expect(anchors()).toBe(1);
  await rig.run("three");
  expect(anchors()).toBe(2);
});

test("a message has the time base of its turn", async () => {
  const { clock, anchors } = createClockSetBack();
  const rig = createRig({ ...quiet, clock, steps: [reply("one"), reply("two")] });
  await rig.harness.receive({ text: "hello", source: "someone" });
  expect(anchors()).toBe(1);
  await rig.harness.receive({ text: "hello", source: "someone" });
  expect(anchors()).toBe(2);
});
