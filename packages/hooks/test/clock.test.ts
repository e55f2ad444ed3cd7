import { createSystemClock } from "@hookscope/hooks";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("tells the wall clock's time, and goes on by the monotonic one", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const clock = createSystemClock();
  expect(clock.now()).toBe(1_000_000);
  vi.advanceTimersByTime(250);
  expect(clock.now()).toBe(1_000_250);
});

test("a wall clock that is set does not move a turn's time; the next turn's anchor does", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const clock = createSystemClock();
  vi.setSystemTime(900_000);
  expect(clock.now()).toBe(1_000_000);
  clock.anchor?.();
  expect(clock.now()).toBe(900_000);
});

test("ordinary drift is left alone: within a second turns share one time base", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const clock = createSystemClock();
  vi.setSystemTime(1_000_999);
  clock.anchor?.();
  expect(clock.now()).toBe(1_000_000);
});

test("a timer fires once, a cancelled one never", () => {
  vi.useFakeTimers();
  const clock = createSystemClock();
  const fired: string[] = [];
  clock.setTimer(() => fired.push("kept"), 100);
  const cancelled = clock.setTimer(() => fired.push("cancelled"), 100);
  cancelled.unref?.();
  cancelled.ref?.();
  cancelled.cancel();
  vi.advanceTimersByTime(1_000);
  expect(fired).toEqual(["kept"]);
});

test("a timer of more than the platform's longest delay fires after that, not at once", () => {
  vi.useFakeTimers();
  const clock = createSystemClock();
  const fired: string[] = [];
  clock.setTimer(() => fired.push("far"), 2 ** 31);
  clock.setTimer(() => fired.push("never"), Infinity);
  vi.advanceTimersByTime(2 ** 31 - 2);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(["far", "never"]);
});

test("where timers are plain numbers, as in browsers and workers, they work without ref", () => {
  const fired: string[] = [];
  const cancelled: unknown[] = [];
  vi.stubGlobal("setTimeout", (callback: () => void) => (fired.push("set"), callback(), 7));
  vi.stubGlobal("clearTimeout", (handle: unknown) => cancelled.push(handle));
  const timer = createSystemClock().setTimer(() => fired.push("fired"), 1);
  timer.cancel();
  expect([fired, cancelled, Object.keys(timer)]).toEqual([["set", "fired"], [7], ["cancel"]]);
});
