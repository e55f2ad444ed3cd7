import { expect, test } from "vitest";

import { createEventBus, type AgentEvent } from "../../src/index.ts";

const STAMP = { timestamp: 1, runId: "r" };

test("a subscriber of one event whose promise rejects is isolated, and what it failed with is told without its secrets", async () => {
  const events = createEventBus();
  const { promise: told, resolve } = Promise.withResolvers<AgentEvent>();
  const token = `ghp_${"a".repeat(36)}`;
  events.on("message_start", async () => Promise.reject(new Error(`no: ${token}`)), { modId: "broken" });
  events.on("mod_error", resolve);
  events.emit({ type: "message_start", ...STAMP });
  expect(await told).toEqual({
    type: "mod_error",
    modId: "broken",
    hook: "on:message_start",
    error: "no: [redacted:github_token]",
    ...STAMP,
  });
});

test("an event that lacks what it should carry is passed on as it is", () => {
  const events = createEventBus();
  const seen: AgentEvent[] = [];
  events.subscribe((event) => void seen.push(event));
  events.emit({ type: "run_end", ...STAMP } as unknown as AgentEvent);
  expect(seen).toEqual([{ type: "run_end", ...STAMP }]);
});

test("a listener that is no function is refused where it is registered", () => {
  const events = createEventBus();
  for (const register of [
    () => events.subscribe(undefined as never),
    () => events.on("run_end", "log" as never),
    () => events.on(undefined as never, () => undefined),
  ]) {
    expect(register).toThrow(/^EVENT_LISTENER_INVALID: /u);
  }
  expect(events.hasSubscribers).toBe(false);
});
