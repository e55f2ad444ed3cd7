import { PassThrough } from "node:stream";

import { ROOT_CONTEXT } from "@opentelemetry/api";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { StatusLine, statusLine, type Wait } from "../src/status-line.ts";

const model: Wait = { type: "model_call", name: "chat small", since: 1_000 };
const tool: Wait = { type: "tool_call", name: "execute_tool shell", since: 2_000 };
const hook: Wait = { type: "hook", name: "pre_tool_call guard", since: 2_500 };

test.for([
  [[model], 3_250, "waiting 2.25 s for the model small"],
  [[tool], 2_400, "waiting 400 ms for the tool shell"],
  [[tool, hook], 5_000, "waiting 2.50 s for the hook guard at pre_tool_call"],
] as const)("what started last is waited for: %j", ([waits, now, line]) => {
  expect(statusLine(waits, now, 80)).toBe(line);
});

test("nothing is said of short waits, of none, and while a person has the question before them", () => {
  const person: Wait = { type: "approval", name: "approval shell", since: 0 };
  expect(statusLine([model], 1_299, 80)).toBeUndefined();
  expect(statusLine([], 5_000, 80)).toBeUndefined();
  expect(statusLine([person, tool], 5_000, 80)).toBeUndefined();
});

test("the line never reaches the terminal's edge, and names cannot draw", () => {
  const long: Wait = { type: "tool_call", name: `execute_tool \u001B[2J${"x".repeat(90)}`, since: 0 };
  expect(statusLine([long], 1_000, 40)).toBe("waiting 1.00 s for …xxxxxxxxxxxxxxxxxxx");
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stream that keeps what is written to it. */
function terminal() {
  const stream = Object.assign(new PassThrough(), { columns: 60 });
  let written = "";
  stream.setEncoding("utf8").on("data", (text: string) => (written += text));
  return { stream, written: () => written };
}

function waitFor(name: string, status: StatusLine, milliseconds: number): void {
  const tracer = new TracerProvider({ spanProcessors: [status] }).getTracer("test");
  const span = tracer.startSpan(name, {}, ROOT_CONTEXT);
  vi.advanceTimersByTime(milliseconds);
  span.end();
}

test("a terminal shows the wait while it lasts, and is clean after it", async () => {
  const { stream, written } = terminal();
  waitFor("chat small", new StatusLine(stream, { draws: true }), 450);
  await vi.advanceTimersByTimeAsync(0);
  const clear = "\r\u001B[K";
  expect(written()).toBe(
    `${clear}waiting 300 ms for the model small${clear}waiting 400 ms for the model small${clear}`,
  );
});

test("anything else gets nothing", async () => {
  const { stream, written } = terminal();
  waitFor("chat small", new StatusLine(stream, { draws: false }), 5_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(written()).toBe("");
});
