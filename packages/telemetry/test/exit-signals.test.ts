import { expect, test } from "vitest";

import { run, signalled } from "./support/exit-process.ts";
import { OtlpSink } from "./support/otlp-sink.ts";

const NAMES = ["finished", "hook", "tool", "turn"];

test("a second SIGINT while the flush is waiting ends the process at once", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const { child, ready, ended } = run(sink, "wait");
  await ready;
  child.kill("SIGINT");
  await sink.until(() => sink.requests.length === 1);
  child.kill("SIGINT");
  expect((await ended).signal).toBe("SIGINT");
});

test("a first signal during the flush of an uncaught error leaves it its time, and the error is printed", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const { child, ended } = run(sink, "uncaught");
  await sink.until(() => sink.requests.length === 1);
  child.kill("SIGTERM");
  await signalled(child);
  sink.release();
  const { code, signal, stderr } = await ended;
  expect([code, signal]).toEqual([1, null]);
  expect(stderr).toMatch(/RangeError: the original error\n {4}at .*thrower/);
  expect(sink.requests.flatMap(({ spans }) => spans.map(({ name }) => name))).toEqual(NAMES);
});

test("a first signal during the flush of a natural end leaves it its time, then the process ends by the signal", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const { child, ended } = run(sink, "natural");
  await sink.until(() => sink.requests.length === 1);
  child.kill("SIGTERM");
  await signalled(child);
  sink.release();
  expect(await ended).toEqual({ code: null, signal: "SIGTERM", stdout: "", stderr: "" });
});

test("a signal does not wait for a shutdown with a longer time than its own", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const { child, ended } = run(sink, "long-shutdown", { timeoutMs: 200 });
  await sink.until(() => sink.requests.length === 1);
  child.kill("SIGTERM");
  const { signal, stderr } = await ended;
  expect(signal).toBe("SIGTERM");
  expect(stderr).toMatch(/TELEMETRY_SPANS_DROPPED: 1 span lost .*\(shutdown_timeout/);
});

test("a natural end sends what a processor of the program's own still has", async () => {
  await using sink = await OtlpSink.start();
  expect(await run(sink, "own-processor").ended).toEqual({ code: 0, signal: null, stdout: "finished\n", stderr: "" });
});
