import { createHookBus, defineHook, type HookPoint } from "@hookscope/hooks";
import { createTestTelemetry, type TestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TURN } from "./support.ts";

let telemetry: TestTelemetry;
beforeEach(() => {
  telemetry = createTestTelemetry();
});
afterEach(() => telemetry.dispose());

const SECRET = `ghp_${"a1B2".repeat(9)}`;

async function sessionOnSpan(point: HookPoint, payload: object, turn?: typeof TURN): Promise<unknown> {
  const bus = createHookBus();
  bus.register({ name: "a", points: [point], call: () => {} });
  await bus.dispatch(point, payload as never, { turn } as never);
  const [span] = telemetry.spans();
  return [
    span?.attributes["session.id"],
    span?.attributes["gen_ai.conversation.id"],
    Object.hasOwn(span?.attributes ?? {}, "session.id"),
  ];
}

test("a hook's span names the turn's session", async () => {
  expect(await sessionOnSpan("pre_llm_call", { user_message: "hello" }, TURN)).toEqual([
    "session-1",
    "session-1",
    true,
  ]);
});

test("before there is a turn, it names the session of the payload", async () => {
  const payload = { session_id: "session-2", platform: "cli", profile: "default", text: "hello" };
  expect(await sessionOnSpan("post_gateway_admission", payload)).toEqual(["session-2", "session-2", true]);
});

test("a message whose session is known already names it before it is admitted", async () => {
  const payload = { profile: "default", source: "cli", session_id: "session-3", text: "hello" };
  expect(await sessionOnSpan("pre_gateway_dispatch", payload)).toEqual(["session-3", "session-3", true]);
});

test("a message whose session is not known yet names none", async () => {
  const payload = { profile: "default", source: "cli", session_id: null, text: "hello" };
  expect(await sessionOnSpan("pre_gateway_dispatch", payload)).toEqual([undefined, undefined, false]);
});

test("the turn's session is named where a payload speaks of one, too", async () => {
  const payload = { session_id: "session-4", reason: "closed" };
  expect(await sessionOnSpan("on_session_finalize", payload, TURN)).toEqual(["session-1", "session-1", true]);
});

test("a secret in a session's name does not leave with it", async () => {
  const payload = { session_id: SECRET, platform: "cli", profile: "default", text: "hello" };
  expect(JSON.stringify(await sessionOnSpan("post_gateway_admission", payload))).not.toContain(SECRET);
});

test("the session is on the span of a hook that blocked, too", async () => {
  const bus = createHookBus();
  bus.register(
    defineHook({ name: "inbox", on: { post_gateway_admission: () => ({ decision: "block", reason: "handled" }) } }),
  );
  await bus.dispatch("post_gateway_admission", {
    session_id: "session-5",
    platform: "cli",
    profile: "default",
    text: "hello",
  });
  expect(
    telemetry.spans().map(({ attributes }) => [attributes["session.id"], attributes["agent_hook.decision"]]),
  ).toEqual([["session-5", "block"]]);
});
