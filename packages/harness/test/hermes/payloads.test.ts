import { HOOK_POINT_NAMES, type HookPoint, type PayloadOf } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { fromHermes, type HermesCallback } from "../../src/from-hermes.ts";
import { hermesPayload, type HermesHookName, type HermesPayload } from "../../src/hermes-payloads.ts";
import { busOf, TURN } from "./hermes-bus.ts";
import { CASES } from "./payload-cases.ts";

const names = HOOK_POINT_NAMES.filter((name): name is HermesHookName => name !== "post_compaction");

test.for(names.filter((name) => name !== "on_stream_delta"))("%s gets Hermes's keyword names", async (name) => {
  const { given, expected } = CASES[name];
  const seen: HermesPayload[] = [];
  const callback: HermesCallback = (payload) => void seen.push(payload);
  const bus = busOf([fromHermes("plugin", { [name]: callback }, { toolNames: { terminal: "shell" } })]);
  const verdict = await bus.dispatch(name as "on_session_start", given as PayloadOf<"on_session_start">, {
    turn: TURN,
  });
  expect(seen).toEqual([{ telemetry_schema_version: "hermes.observer.v1", ...expected }]);
  expect(verdict.invocations.map(({ execution }) => execution)).toEqual(["ok"]);
});

test("on_stream_delta gets Hermes's keyword names", async () => {
  const { given, expected } = CASES.on_stream_delta;
  const seen: HermesPayload[] = [];
  const bus = busOf([fromHermes("plugin", { on_stream_delta: (payload) => void seen.push(payload) })]);
  const stream = bus.stream("on_stream_delta", { turn: TURN });
  stream.push(given);
  await stream.close();
  expect(seen).toEqual([{ telemetry_schema_version: "hermes.observer.v1", ...expected }]);
});

test("what is not known is left out, and arguments that are no command are told as JSON", () => {
  const event = {
    point: "pre_approval_request" as HookPoint,
    payload: { ...CASES.pre_approval_request.given, args: { a: 1 } },
    turn: TURN,
  };
  expect(hermesPayload(event as never, (name) => name)["command"]).toBe('{"a":1}');
});
