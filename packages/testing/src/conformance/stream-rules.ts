import { strict as assert } from "node:assert";

import type { HookBus, HookEvent, StreamDeltaPayload } from "@hookscope/hooks";

import { hang, hook, line, setUp, type ConformanceCase } from "./kit.ts";
import { SAMPLE_TURN } from "./samples.ts";

const POINT = "on_stream_delta";

/** `bus.stream`: off the token path, one record per hook and stream. */
export const STREAM_RULES: readonly ConformanceCase[] = [
  {
    rule: "stream: push calls no hook; each hook then gets every delta in order, and one record when the stream closes",
    async run(createBus) {
      const seen: string[] = [];
      const log = (name: string) =>
        hook(name, POINT, async ({ payload }: HookEvent) => {
          await Promise.resolve();
          seen.push(`${name} ${(payload as StreamDeltaPayload).delta}`);
        });
      const { bus, records } = setUp(createBus, [log("a"), log("b")]);
      const stream = bus.stream(POINT, { turn: SAMPLE_TURN });
      for (const text of ["x", "y", "z"]) stream.push(delta(text));
      assert.deepEqual(seen, []);
      await stream.close();
      assert.deepEqual(ofHook(seen, "a"), ["a x", "a y", "a z"]);
      assert.deepEqual(ofHook(seen, "b"), ["b x", "b y", "b z"]);
      assert.deepEqual(records.map(line), ["a ok continue -", "b ok continue -"]);
      assert.deepEqual(
        records.map((record) => record.stream?.count),
        [3, 3],
      );
    },
  },
  {
    rule: "stream: without a delta there is no record",
    async run(createBus) {
      const { bus, records } = setUp(createBus, [hook("a", POINT, undefined)]);
      await bus.stream(POINT, { turn: SAMPLE_TURN }).close();
      assert.deepEqual(records, []);
    },
  },
  {
    rule: "stream: a slow hook's queue is bounded; the oldest deltas are dropped and counted, the newest are kept",
    async run(createBus) {
      const seen: string[] = [];
      let goOn: (() => void) | undefined;
      const slow = hook("a", POINT, ({ payload }: HookEvent) => {
        seen.push((payload as StreamDeltaPayload).delta);
        if (seen.length === 1) return new Promise<void>((resolve) => (goOn = resolve));
        return undefined;
      });
      const { bus, clock, records } = setUp(createBus, [slow]);
      const stream = bus.stream(POINT, { turn: SAMPLE_TURN });
      stream.push(delta("0"));
      await clock.advance(0);
      for (let index = 1; index <= 100_000; index += 1) stream.push(delta(String(index)));
      goOn?.();
      await stream.close();
      const { count, dropped } = records[0]?.stream ?? { count: 0, dropped: 0 };
      assert.deepEqual([seen.length, count + dropped, seen.at(-1)], [count, 100_001, "100000"]);
      assert.ok(count < 10_000, `${count} deltas were kept waiting`);
      assert.deepEqual(seen.slice(1), lastTexts(100_000, count - 1));
      assert.equal(deltasDropped(bus), dropped);
    },
  },
  {
    rule: "stream: a hook that fails goes on with the next delta; its failures are counted",
    async run(createBus) {
      const failing = hook("a", POINT, ({ payload }: HookEvent) => {
        if ((payload as StreamDeltaPayload).delta === "y") throw new RangeError("broke");
      });
      const { bus, records } = setUp(createBus, [failing]);
      await send(bus, ["x", "y", "z"]);
      assert.deepEqual(records.map(line), ["a error none failed_open"]);
      assert.deepEqual([records[0]?.stream?.count, records[0]?.stream?.failures], [3, 1]);
    },
  },
  {
    rule: "stream: a hook that hangs is stopped at its limit and suspended; closing does not wait longer",
    async run(createBus) {
      let calls = 0;
      const { bus, clock, records } = setUp(createBus, [hook("a", POINT, () => ((calls += 1), hang()))]);
      const closed = send(bus, ["x", "y", "z"]);
      await clock.advance(60_000);
      await closed;
      await send(bus, ["x"]);
      assert.equal(calls, 1);
      assert.deepEqual(records.map(line), ["a timeout none failed_open", "a suspended none failed_open"]);
      assert.deepEqual(
        records.map((record) => record.stream?.dropped),
        [2, 1],
      );
    },
  },
  {
    rule: "stream: an interrupt ends it; what waits is dropped and counted",
    async run(createBus) {
      const controller = new AbortController();
      const { bus, clock, records } = setUp(createBus, [hook("a", POINT, hang)]);
      const stream = bus.stream(POINT, { turn: SAMPLE_TURN, signal: controller.signal });
      stream.push(delta("x"));
      stream.push(delta("y"));
      await clock.advance(0);
      controller.abort();
      stream.push(delta("z"));
      await stream.close();
      assert.deepEqual(records.map(line), ["a aborted none -"]);
      assert.deepEqual([records[0]?.stream?.count, records[0]?.stream?.dropped], [1, 2]);
    },
  },
  {
    rule: "stream: a delta after the end is refused with HOOK_STREAM_CLOSED",
    async run(createBus) {
      const { bus } = setUp(createBus, [hook("a", POINT, undefined)]);
      const stream = bus.stream(POINT, { turn: SAMPLE_TURN });
      await stream.close();
      assert.throws(() => stream.push(delta("x")), { code: "HOOK_STREAM_CLOSED" });
    },
  },
];

function delta(text: string): StreamDeltaPayload {
  return { kind: "text", delta: text, iteration: 1 };
}

async function send(bus: HookBus, texts: readonly string[]): Promise<void> {
  const stream = bus.stream(POINT, { turn: SAMPLE_TURN });
  for (const text of texts) stream.push(delta(text));
  await stream.close();
}

function ofHook(lines: readonly string[], name: string): readonly string[] {
  return lines.filter((text) => text.startsWith(`${name} `));
}

function lastTexts(last: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(last - count + 1 + index));
}

function deltasDropped(bus: HookBus): number | undefined {
  return bus.list()[0]?.deltasDropped;
}
