import { defineHook, type HookBus, type StreamDeltaPayload } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { createTestBus, hang, line, TURN } from "./support.ts";

const POINT = "on_stream_delta";
const delta = (text: string): StreamDeltaPayload => ({ kind: "text", delta: text, iteration: 1 });

async function send(bus: HookBus, ...texts: readonly string[]): Promise<void> {
  const stream = bus.stream(POINT, { turn: TURN });
  for (const text of texts) stream.push(delta(text));
  await stream.close();
}

test("256 deltas wait for a slow hook; the oldest make room", async () => {
  const { bus, clock, records } = createTestBus();
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  bus.register(defineHook({ name: "a", on: { [POINT]: ({ payload }) => (seen.push(payload.delta), promise) } }));
  const stream = bus.stream(POINT, { turn: TURN });
  stream.push(delta("0"));
  await clock.advance(0);
  for (let index = 1; index <= 300; index += 1) stream.push(delta(String(index)));
  resolve();
  await stream.close();
  expect(seen).toEqual(["0", ...Array.from({ length: 256 }, (_, index) => String(index + 45))]);
  expect(records[0]?.stream).toEqual({ count: 257, totalMs: 0, longestMs: 0, failures: 0, dropped: 44 });
  expect(bus.list()[0]?.deltasDropped).toBe(44);
});

test("a slow hook holds up neither the pushing nor another hook", async () => {
  const { bus, clock } = createTestBus();
  const seen: string[] = [];
  bus.register({ name: "slow", points: [POINT], call: hang });
  bus.register(defineHook({ name: "quick", on: { [POINT]: ({ payload }) => void seen.push(payload.delta) } }));
  const stream = bus.stream(POINT, { turn: TURN });
  for (const text of ["x", "y"]) stream.push(delta(text));
  await clock.advance(0);
  expect(seen).toEqual(["x", "y"]);
  const closed = stream.close();
  await clock.advance(60_000);
  await closed;
});

test("a hook that cannot catch up in its own time after the end has timed out, and is suspended", async () => {
  const { bus, clock, records, log } = createTestBus();
  let calls = 0;
  bus.register(
    defineHook({
      name: "slow",
      timeoutMs: 1_000,
      on: { [POINT]: () => ((calls += 1), new Promise<void>((resolve) => clock.setTimer(resolve, 400))) },
    }),
  );
  const closed = send(bus, "a", "b", "c", "d", "e");
  await clock.advance(1_000);
  await closed;
  expect(calls).toBe(3);
  expect(records.map(line)).toEqual(["slow timeout none failed_open"]);
  expect(records[0]?.stream).toEqual({ count: 3, totalMs: 1_000, longestMs: 400, failures: 1, dropped: 2 });
  expect(bus.list()[0]?.suspendedUntil).toBe(clock.now() + 60_000);
  expect(log.messages).toEqual([
    'hook "slow" failed at on_stream_delta: HookTimeout: took longer than 1000 ms. The point fails open. Further failures are only counted.',
  ]);
  await clock.advance(10_000);
  expect(calls).toBe(3);
  expect(bus.list()[0]?.lateResults).toBe(1);
});

test("a timeout in one stream suspends the hook in another that runs", async () => {
  const { bus, clock, records } = createTestBus({ timeoutMs: 100 });
  bus.register({ name: "a", points: [POINT], call: hang });
  const first = bus.stream(POINT, { turn: TURN });
  first.push(delta("x"));
  await clock.advance(100);
  const second = bus.stream(POINT, { turn: TURN });
  second.push(delta("y"));
  second.push(delta("z"));
  await Promise.all([first.close(), second.close()]);
  expect(records.map((record) => [line(record), record.stream?.dropped])).toEqual([
    ["a timeout none failed_open", 0],
    ["a suspended none failed_open", 2],
  ]);
});

test("after a failure the hook goes on; the last one is the record's", async () => {
  const { bus, records } = createTestBus();
  bus.register(
    defineHook({
      name: "a",
      on: {
        async [POINT]({ payload }) {
          if (payload.delta !== "z") throw new RangeError(payload.delta);
        },
      },
    }),
  );
  await send(bus, "x", "y", "z");
  expect(records.map(({ execution, error, stream }) => [execution, error?.message, stream?.failures])).toEqual([
    ["error", "y", 2],
  ]);
});

test("what looks like a directive is logged once and counted each time", async () => {
  const { bus, log, records } = createTestBus();
  bus.register({ name: "a", points: [POINT], call: () => ({ decision: "block", reason: "stop" }) });
  await send(bus, "x", "y");
  expect(records.map(line)).toEqual(["a ok continue not_accepted"]);
  expect(bus.list()[0]?.resultsIgnored).toBe(2);
  expect(log.messages).toEqual([
    'a result of hook "a" at on_stream_delta is ignored: the point does not take block: observers only watch. Further ones are only counted.',
  ]);
});

test("an interrupt aborts the pending call, and calls no hook with what waits", async () => {
  const { bus, clock, records } = createTestBus();
  const controller = new AbortController();
  const seen: unknown[] = [];
  bus.register({
    name: "a",
    points: [POINT],
    call({ payload }, { signal }) {
      seen.push(payload);
      signal.addEventListener("abort", () => seen.push(signal.reason));
      return hang();
    },
  });
  bus.register({ name: "b", points: [POINT], call: () => {} });
  const stream = bus.stream(POINT, { turn: TURN, signal: controller.signal });
  for (const text of ["x", "y", "z"]) stream.push(delta(text));
  await clock.advance(0);
  controller.abort("stop");
  await clock.advance(0);
  await stream.close();
  expect(seen).toEqual([delta("x"), "stop"]);
  expect(records.map((record) => [line(record), record.stream?.count, record.stream?.dropped])).toEqual([
    ["a aborted none -", 1, 2],
    ["b aborted none -", 3, 0],
  ]);
});

test("a stream under a signal that fired before calls no hook", async () => {
  const { bus, records } = createTestBus();
  let calls = 0;
  bus.register(defineHook({ name: "a", on: { [POINT]: () => void (calls += 1) } }));
  const stream = bus.stream(POINT, { turn: TURN, signal: AbortSignal.abort() });
  stream.push(delta("x"));
  await stream.close();
  expect([calls, records.map(line), records[0]?.stream?.dropped]).toEqual([0, ["a aborted none -"], 1]);
});

test("an interrupt after a timeout leaves it a timeout", async () => {
  const { bus, clock, records } = createTestBus({ timeoutMs: 100 });
  const controller = new AbortController();
  bus.register({ name: "a", points: [POINT], call: hang });
  const stream = bus.stream(POINT, { turn: TURN, signal: controller.signal });
  stream.push(delta("x"));
  await clock.advance(100);
  controller.abort();
  await stream.close();
  expect(records.map(line)).toEqual(["a timeout none failed_open"]);
});

test("closing twice waits for the same, and makes one record", async () => {
  const { bus, records } = createTestBus();
  bus.register(defineHook({ name: "a", on: { [POINT]: () => Promise.resolve() } }));
  const stream = bus.stream(POINT, { turn: TURN });
  stream.push(delta("x"));
  await Promise.all([stream.close(), stream.close()]);
  await stream.close();
  expect(records.length).toBe(1);
});

test("a delta may be pushed after the queue ran empty", async () => {
  const { bus, clock, records } = createTestBus();
  bus.register(defineHook({ name: "a", on: { [POINT]: () => {} } }));
  const stream = bus.stream(POINT, { turn: TURN });
  stream.push(delta("x"));
  await clock.advance(10);
  stream.push(delta("y"));
  await stream.close();
  expect(records[0]?.stream?.count).toBe(2);
});

test("without hooks deltas go nowhere, and a push after the end is refused all the same", async () => {
  const { bus } = createTestBus();
  const stream = bus.stream(POINT, { turn: TURN });
  stream.push(delta("x"));
  await stream.close();
  expect(() => stream.push(delta("y"))).toThrow(
    "HOOK_STREAM_CLOSED: the stream of deltas was closed already; open another for the next model call.",
  );
});

test("only on_stream_delta is streamed, and only within a turn", () => {
  const { bus } = createTestBus();
  expect(() => bus.stream("pre_tool_call" as typeof POINT, { turn: TURN })).toThrow(
    'HOOK_POINT_UNKNOWN: stream carries "on_stream_delta" only, not "pre_tool_call"; give its events to dispatch.',
  );
  expect(() => bus.stream(POINT, {} as never)).toThrow("HOOK_TURN_MISSING");
});
