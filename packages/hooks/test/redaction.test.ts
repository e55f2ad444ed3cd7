import { block, createRedactor, defineHook, modify, turnInfo, type HookInvocation } from "@hookscope/hooks";
import { createTestTelemetry } from "@hookscope/testing";
import { expect, test } from "vitest";

import { join, mixed } from "./redact-samples.ts";
import { createTestBus, line, TOOL_CALL, TURN } from "./support.ts";

const TOKEN = join("gh", "p_", mixed(36));
const MARK = "[redacted:github_token]";

/** One dispatch, and everything the bus lets out: records, spans, warnings. */
async function letOut(
  call: () => unknown,
  turn = TURN,
): Promise<{ readonly all: string; readonly record: HookInvocation }> {
  const telemetry = createTestTelemetry();
  const { bus, log, records } = createTestBus();
  bus.register({ name: "a", points: ["pre_tool_call"], call: call as () => undefined });
  await bus.dispatch("pre_tool_call", { ...TOOL_CALL, args: { command: `curl -H ${TOKEN}` } }, { turn });
  const all = JSON.stringify([records, telemetry.spans(), log.warnings]);
  await telemetry.dispose();
  return { all, record: records[0] as HookInvocation };
}

test("the reason of a block leaves without its secret; the verdict keeps what the hook said", async () => {
  const { all, record } = await letOut(() => block(`found ${TOKEN}`));
  expect(record.reason).toBe(`found ${MARK}`);
  expect(all).not.toContain(TOKEN);
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_tool_call: () => block(`found ${TOKEN}`) } }));
  const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(verdict).toEqual({ decision: "block", reason: `found ${TOKEN}`, hook: "a", cause: "policy" });
});

test("a question leaves without its secret", async () => {
  const { all, record } = await letOut(() => ({ decision: "ask_user", question: `send ${TOKEN}?` }));
  expect(record.reason).toBe(`send ${MARK}?`);
  expect(all).not.toContain(TOKEN);
});

test("an error leaves without its secret, in the verdict too: a model is told it", async () => {
  const fail = (): never => {
    throw new Error(`cannot use ${TOKEN}`);
  };
  const { all, record } = await letOut(fail);
  expect(record.error).toEqual({ type: "Error", message: `cannot use ${MARK}` });
  expect(record.reason).toBe(`hook "a" failed: Error: cannot use ${MARK}`);
  expect(all).not.toContain(TOKEN);
  const { bus } = createTestBus();
  bus.register({ name: "a", points: ["pre_tool_call"], call: fail });
  const verdict = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(verdict.decision === "block" ? verdict.reason : undefined).toBe(record.reason);
});

test("an error's name leaves without its secret", async () => {
  const { all, record } = await letOut(() => Promise.reject(Object.assign(new Error("x"), { name: TOKEN })));
  expect(record.error).toEqual({ type: MARK, message: "x" });
  expect(all).not.toContain(TOKEN);
});

test("the names of changed keys and of unknown fields leave without a secret", async () => {
  const changed = await letOut(() => modify({ args: { [TOKEN]: 1, path: "x" } }));
  expect(changed.record.changedKeys).toEqual([MARK, "path"]);
  expect(changed.all).not.toContain(TOKEN);
  const unknown = await letOut(() => ({ decision: "modify", value: { [TOKEN]: 1 } }));
  expect(unknown.record.reason).toBe(`its modify has a field "${MARK}"; the fields are { args }`);
  expect(unknown.all).not.toContain(TOKEN);
});

test("the turn of a record leaves without a secret; the hook sees the turn as it is", async () => {
  const tagged = { ...TURN, tags: [{ key: "note", value: TOKEN }] };
  const { all, record } = await letOut(() => undefined, tagged);
  expect(record.turn).toEqual({ ...TURN, tags: [{ key: "note", value: MARK }] });
  expect(all).not.toContain(TOKEN);
  const { bus } = createTestBus();
  const seen: unknown[] = [];
  bus.register(defineHook({ name: "a", on: { pre_tool_call: ({ turn }) => void seen.push(turn) } }));
  await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: tagged });
  expect(seen).toEqual([tagged]);
});

test("payloads and arguments are in no record and no span", async () => {
  const { all } = await letOut(() => undefined);
  expect(all).not.toContain("curl");
});

test("the ids of a turn are no secrets", async () => {
  const { bus, records } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_tool_call: () => {} } }));
  const turns = Array.from({ length: 50 }, () => turnInfo());
  for (const turn of turns) await bus.dispatch("pre_tool_call", TOOL_CALL, { turn });
  expect(records.map(({ turn }) => turn)).toEqual(turns);
});

test("a redactor that throws lets nothing out, and is not felt", async () => {
  const fail = (): never => {
    throw new Error("no redactor");
  };
  const { bus, records, log } = createTestBus({ redact: { text: fail, value: fail } });
  bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: { [TOKEN]: 1 } }) } }));
  bus.register({ name: "b", points: ["pre_tool_call"], call: () => Promise.reject(new Error(TOKEN)) });
  const verdict = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(records.map(line)).toEqual(["a ok modify superseded", "b error none applied"]);
  expect(verdict).toMatchObject({ decision: "block", reason: "[redaction failed]", cause: "failure" });
  expect(records.map(({ turn, reason, changedKeys, error }) => [turn, reason, changedKeys, error])).toEqual([
    [undefined, undefined, ["[redaction failed]"], undefined],
    [undefined, "[redaction failed]", undefined, { type: "[redaction failed]", message: "[redaction failed]" }],
  ]);
  expect(JSON.stringify(log.warnings)).not.toContain(TOKEN);
});

test("a redactor of one's own is the one that is used", async () => {
  const redact = createRedactor({
    shapes: [{ id: "badge", description: "a badge", pattern: /B-\d{4}/, hints: ["B-"] }],
  });
  const { bus, records } = createTestBus({ redact });
  bus.register(defineHook({ name: "a", on: { pre_tool_call: () => block("badge B-1234") } }));
  await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(records[0]?.reason).toBe("badge [redacted:badge]");
});

const thrown: readonly (readonly [string, unknown, object])[] = [
  ["a text", "broke", { type: "string", message: "broke" }],
  ["null", null, { type: "null", message: "null" }],
  ["nothing", undefined, { type: "undefined", message: "undefined" }],
  ["an object", { code: 1 }, { type: "object", message: "[object Object]" }],
  ["a symbol", Symbol("s"), { type: "symbol", message: "Symbol(s)" }],
  [
    "an object without a text",
    Object.create(null),
    { type: "unknown", message: "something that cannot be read was thrown" },
  ],
  [
    "an error whose message throws",
    Object.defineProperty(new Error("x"), "message", {
      get() {
        throw new Error("no");
      },
    }),
    { type: "unknown", message: "something that cannot be read was thrown" },
  ],
  ["an error whose message is no text", Object.assign(new Error("x"), { message: 7 }), { type: "Error", message: "7" }],
];

test.for(thrown)("%s may be thrown", async ([, value, error]) => {
  const { bus, records } = createTestBus();
  bus.register({ name: "a", points: ["pre_llm_call"], call: () => Promise.reject(value) });
  await bus.dispatch("pre_llm_call", {} as never, { turn: TURN });
  expect(records.map((record) => record.error)).toEqual([error]);
});

test("a hook's name and source leave without their secrets", async () => {
  const telemetry = createTestTelemetry();
  const { bus, records } = createTestBus();
  bus.register({ name: `to ${TOKEN}`, source: `plugin ${TOKEN}`, points: ["post_tool_call"], call: () => undefined });
  await bus.dispatch(
    "post_tool_call",
    { ...TOOL_CALL, result: "", is_error: false, status: "ok", duration_ms: 0 },
    { turn: TURN },
  );
  const all = JSON.stringify([records, telemetry.spans(), bus.list()]);
  await telemetry.dispose();
  expect([records[0]?.hook, records[0]?.source]).toEqual([`to ${MARK}`, `plugin ${MARK}`]);
  expect(all).not.toContain(TOKEN);
});
