import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { configOf } from "../src/config/config.ts";
import {
  drawsOn,
  isInteractive,
  wantsColour,
  widthOf,
  writeJson,
  type OutputFlags,
  type Terminal,
} from "../src/terminal.ts";

function terminal(environment: Record<string, string> = {}, isTTY = true): Terminal {
  const stream = Object.assign(new PassThrough(), { isTTY });
  return {
    environment,
    workingDirectory: "/project",
    homeDirectory: "/home/somebody",
    input: stream,
    output: stream,
    errors: stream,
    onInterrupt: () => () => {},
  };
}

test.for<readonly [Record<string, string>, boolean, OutputFlags, boolean]>([
  [{}, true, {}, true],
  [{}, false, {}, false],
  [{ TERM: "dumb" }, true, {}, false],
  [{ NO_COLOR: "1" }, true, {}, false],
  [{ NO_COLOR: "" }, true, {}, true],
  [{ FORCE_COLOR: "1" }, false, {}, true],
  [{ FORCE_COLOR: "0" }, true, {}, false],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, {}, false],
  [{ NO_COLOR: "1" }, false, { color: true }, true],
  [{ FORCE_COLOR: "1" }, true, { color: false }, false],
])("colour with %j, terminal %j, flags %j: %j", ([environment, isTTY, flags, expected]) => {
  const given = terminal(environment, isTTY);
  expect(wantsColour(given.output, given, flags)).toBe(expected);
});

test("the width is the flag's, the terminal's, COLUMNS', or 80", () => {
  const wide = Object.assign(new PassThrough(), { columns: 132 });
  expect(widthOf(wide, terminal({ COLUMNS: "90" }), { width: 70 })).toBe(70);
  expect(widthOf(wide, terminal({ COLUMNS: "90" }), {})).toBe(132);
  expect(widthOf(new PassThrough(), terminal({ COLUMNS: "90" }), {})).toBe(90);
  expect(widthOf(Object.assign(new PassThrough(), { columns: 0 }), terminal({ COLUMNS: "90" }), {})).toBe(90);
  expect(widthOf(new PassThrough(), terminal({ COLUMNS: "many" }), {})).toBe(80);
});

test("a line that changes in place is for terminals that can rub it out", () => {
  expect(
    [terminal(), terminal({ TERM: "xterm" }), terminal({ TERM: "dumb" }), terminal({}, false)].map(drawsOn),
  ).toEqual([true, true, false, false]);
});

test("JSON on a terminal draws nothing, and reads as it was", () => {
  const value = { reason: "a\u001B[2J\u009B31m\u007F\u202Eb\u2028" };
  const stream = new PassThrough();
  writeJson(stream, value);
  const text = String(stream.read());
  expect(text).toMatch(/^[\n -~]+$/);
  expect(JSON.parse(text)).toEqual(value);
});

test("a person is there when both input and errors are a terminal", () => {
  expect(isInteractive(terminal())).toBe(true);
  expect(isInteractive({ ...terminal(), input: new PassThrough() })).toBe(false);
  expect(isInteractive({ ...terminal(), errors: new PassThrough() })).toBe(false);
});

test.for([
  [{}, "/home/somebody/.local/state/hookscope/traces.db"],
  [{ XDG_STATE_HOME: "/state" }, "/state/hookscope/traces.db"],
  [{ XDG_STATE_HOME: "state" }, "/home/somebody/.local/state/hookscope/traces.db"],
  [{ XDG_STATE_HOME: "/state", HOOKSCOPE_HOME: "/own" }, "/own/traces.db"],
] as const)("with %j the trace store is %s", ([environment, path]) => {
  expect(configOf(terminal({ ...environment })).traceStore).toBe(path);
});

test("spans are exported only where an endpoint or an exporter is named", () => {
  const exporting = (environment: Record<string, string>): boolean => configOf(terminal(environment)).exportSpans;
  expect(exporting({})).toBe(false);
  expect(exporting({ OTEL_EXPORTER_OTLP_ENDPOINT: " " })).toBe(false);
  expect(exporting({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })).toBe(true);
  expect(exporting({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces" })).toBe(true);
  expect(exporting({ OTEL_TRACES_EXPORTER: "console" })).toBe(true);
});
