import { createFakeClock } from "@hookscope/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { Deadlines, type DeadlineEntry } from "../src/deadlines.ts";

interface Call extends DeadlineEntry {
  readonly name: string;
}

function setUp() {
  const clock = createFakeClock({ startTime: 0 });
  const deadlines = new Deadlines(clock, 100);
  const expired: string[] = [];
  const call = (name: string, expire: () => void = () => expired.push(`${clock.now()} ${name}`)): Call => ({
    name,
    deadline: 0,
    previous: undefined,
    next: undefined,
    expire,
  });
  return { clock, deadlines, expired, call };
}

test("calls expire in the order they started, each at its time", async () => {
  const { clock, deadlines, expired, call } = setUp();
  deadlines.arm(call("a"), clock.now());
  await clock.advance(30);
  deadlines.arm(call("b"), clock.now());
  deadlines.arm(call("c"), clock.now());
  await clock.advance(200);
  expect(expired).toEqual(["100 a", "130 b", "130 c"]);
  expect(clock.pendingTimers).toBe(0);
});

test("a call that started earlier but became pending later expires first", async () => {
  const { clock, deadlines, expired, call } = setUp();
  await clock.advance(50);
  deadlines.arm(call("inner"), 40);
  deadlines.arm(call("outer"), 10);
  deadlines.arm(call("middle"), 20);
  await clock.advance(200);
  expect(expired).toEqual(["110 outer", "120 middle", "140 inner"]);
});

test("a call that follows another in its place gets the whole time, and the others keep theirs", async () => {
  const { clock, deadlines, expired, call } = setUp();
  const moved = call("moved");
  deadlines.arm(moved, clock.now());
  deadlines.arm(call("kept"), clock.now());
  await clock.advance(60);
  deadlines.rearm(moved, clock.now());
  await clock.advance(200);
  expect(expired).toEqual(["100 kept", "160 moved"]);
});

test("a timer is never set for longer than the limit, whatever the clock says", async () => {
  const delays: number[] = [];
  let now = 1_000_000_000_000.3;
  const clock = { now: () => now, setTimer: (_: () => void, delay: number) => (delays.push(delay), { cancel() {} }) };
  const { call } = setUp();
  const limit = 2 ** 31 - 1;
  new Deadlines(clock, limit).arm(call("the fraction of the time is rounded up"), now + 0.2);
  now -= 3_600_000;
  new Deadlines(clock, limit).arm(call("the clock was set back meanwhile"), now + 3_600_000);
  expect(delays).toEqual([limit, limit]);
});

test("one timer serves them all", () => {
  const { clock, deadlines, call } = setUp();
  for (let index = 0; index < 1_000; index += 1) deadlines.arm(call(String(index)), clock.now());
  expect(clock.pendingTimers).toBe(1);
});

test("a call that is armed while others expire gets its own time", async () => {
  const { clock, deadlines, expired, call } = setUp();
  deadlines.arm(
    call("a", () => deadlines.arm(call("next"), clock.now())),
    clock.now(),
  );
  deadlines.arm(call("b"), clock.now());
  await clock.advance(300);
  expect(expired).toEqual(["100 b", "200 next"]);
});

test("whatever is armed and disarmed, exactly the rest expires, in order", async () => {
  const step = fc.record({ wait: fc.nat(60), disarm: fc.option(fc.nat(9)) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { clock, deadlines, expired, call } = setUp();
      const armed = new Map<Call, number>();
      const alive: Call[] = [];
      const expected: string[] = [];
      for (const [index, { wait, disarm }] of steps.entries()) {
        const until = clock.now() + wait;
        for (const entry of alive.filter((each) => (armed.get(each) ?? 0) + 100 <= until)) {
          expected.push(`${(armed.get(entry) ?? 0) + 100} ${entry.name}`);
          alive.splice(alive.indexOf(entry), 1);
        }
        await clock.advance(wait);
        const entry = call(String(index));
        deadlines.arm(entry, clock.now());
        armed.set(entry, clock.now());
        alive.push(entry);
        const gone = disarm === null ? undefined : alive[disarm];
        if (gone !== undefined) {
          deadlines.disarm(gone);
          alive.splice(alive.indexOf(gone), 1);
        }
      }
      await clock.advance(1_000);
      for (const entry of alive) expected.push(`${(armed.get(entry) ?? 0) + 100} ${entry.name}`);
      expect(expired).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});
