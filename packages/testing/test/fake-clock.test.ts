import { createFakeClock } from "@hookscope/testing";
import { expect, test } from "vitest";

test("stands still until it is told to go on", async () => {
  const clock = createFakeClock({ startTime: 1_000 });
  expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
  await clock.advance(250);
  expect(clock.now()).toBe(1_250);
});

test("starts in the year 2100 unless it is told otherwise", () => {
  expect(new Date(createFakeClock().now()).toISOString()).toBe("2100-01-01T00:00:00.000Z");
});

test("runs timers in the order of their times, those of one time in the order they were set", async () => {
  const clock = createFakeClock({ startTime: 0 });
  const fired: string[] = [];
  for (const [name, delay] of [
    ["c", 30],
    ["a", 10],
    ["b", 20],
    ["a2", 10],
    ["late", 31],
  ] as const) {
    clock.setTimer(() => fired.push(`${clock.now()} ${name}`), delay);
  }
  await clock.advance(30);
  expect(fired).toEqual(["10 a", "10 a2", "20 b", "30 c"]);
  expect(clock.pendingTimers).toBe(1);
});

test("what a timer sets off runs before the next timer, timers it sets too", async () => {
  const clock = createFakeClock({ startTime: 0 });
  const seen: string[] = [];
  clock.setTimer(async () => {
    await Promise.resolve();
    await Promise.resolve();
    seen.push(`${clock.now()} promises`);
    clock.setTimer(() => seen.push(`${clock.now()} nested`), 5);
  }, 10);
  clock.setTimer(() => seen.push(`${clock.now()} second`), 20);
  await clock.advance(20);
  expect(seen).toEqual(["10 promises", "15 nested", "20 second"]);
});

test("advance(0) lets everything run that waits for a promise", async () => {
  const clock = createFakeClock();
  let done = false;
  void (async () => {
    for (let step = 0; step < 100; step += 1) await Promise.resolve();
    done = true;
  })();
  await clock.advance(0);
  expect(done).toBe(true);
});

test("a cancelled timer never fires", async () => {
  const clock = createFakeClock();
  const fired: string[] = [];
  clock.setTimer(() => fired.push("x"), 10).cancel();
  await clock.advance(100);
  expect([fired, clock.pendingTimers]).toEqual([[], 0]);
});

test("block goes on at once and runs nothing; what fell due runs at the next advance", async () => {
  const clock = createFakeClock({ startTime: 0 });
  const fired: number[] = [];
  clock.setTimer(() => fired.push(clock.now()), 10);
  clock.block(25);
  expect([clock.now(), fired]).toEqual([25, []]);
  await clock.advance(0);
  expect([clock.now(), fired]).toEqual([25, [25]]);
});

test.for([-1, Number.NaN])("time does not go by %s ms", async (ms) => {
  const clock = createFakeClock();
  await expect(clock.advance(ms)).rejects.toThrow(new RangeError(`Time goes on by 0 ms or more, not by ${ms}.`));
  expect(() => clock.block(ms)).toThrow(RangeError);
});
