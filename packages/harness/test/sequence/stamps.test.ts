import { expect, test } from "vitest";

import { AGENT_EVENTS, type AgentEvent } from "../../src/index.ts";
import { eventEntry } from "../support/log.ts";
import { createRig } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";
import { DENIED, FAILED, INTERRUPTED, LISTENER, PLAIN, SUBAGENT, TOOLS, type Scenario } from "./stamped-scenarios.ts";

/*
 * Each event beside the round it carries and the name of the span it carries: the turn's, where no other says more. Partial
 * messages, of which there is one per piece, are told once in a row.
 */

type Line = readonly [entry: string, round: number | undefined, span: string | undefined];

async function eventsOf({ options, turn = (rig) => rig.run() }: Scenario): Promise<readonly AgentEvent[]> {
  const rig = createRig({ watchMods: false, watch: [], ...options() });
  await turn(rig);
  return rig.events;
}

async function stamps(scenario: Scenario): Promise<readonly Line[]> {
  const telemetry = recordSpans();
  const events = await eventsOf(scenario);
  const names = new Map(telemetry.spans().map((span) => [span.spanId, span.name]));
  return events
    .map((event): Line => [entryOf(event), event.round, names.get(event.spanId ?? "")])
    .filter((line, index, all) => line[0] !== "→ message_update" || all[index - 1]?.[0] !== line[0]);
}

function entryOf(event: AgentEvent): string {
  return eventEntry(event) ?? `→ ${event.type}`;
}

const TURN = "invoke_agent agent";
const ATTEMPT = "chat scripted-model";

test("a plain reply, each hook of a mod failing: what happens around a round belongs to it", async () => {
  const lines = await stamps(PLAIN);
  expect(lines).toEqual([
    ["→ mod_error odd onSessionStart", undefined, "onSessionStart odd"],
    ["→ mod_error odd transformInput", undefined, "transformInput odd"],
    ["→ run_start", undefined, TURN],
    ["→ mod_error odd onTurnStart", 1, "onTurnStart odd"],
    ["→ turn_start 1", 1, TURN],
    ["→ mod_error odd appendSystemPrompt", 1, "appendSystemPrompt odd"],
    ["→ mod_error odd transformContext", 1, "transformContext odd"],
    ["→ message_start", 1, TURN],
    ["→ model_request_start", 1, TURN],
    ["→ thinking_start", 1, ATTEMPT],
    ["→ thinking_delta", 1, ATTEMPT],
    ["→ thinking_end", 1, ATTEMPT],
    ["→ text_delta hi", 1, ATTEMPT],
    ["→ message_update", 1, ATTEMPT],
    ["→ model_request_end", 1, ATTEMPT],
    ["→ message_end", 1, ATTEMPT],
    ["→ mod_error odd onTurnEnd", 1, "onTurnEnd odd"],
    ["→ turn_end 1", 1, TURN],
    ["→ mod_error odd shouldStopAfterTurn", 1, "shouldStopAfterTurn odd"],
    ["→ mod_error odd onStop", 1, "onStop odd"],
    ["→ mod_error odd onRunEnd", undefined, "onRunEnd odd"],
    ["→ run_end end_turn", undefined, TURN],
    ["→ mod_error odd onSessionEnd", undefined, "onSessionEnd odd"],
  ]);
});

test("a retry, and tool calls of every kind: each in its round, each with its attempt or its call", async () => {
  const lines = await stamps(TOOLS);
  expect(lines).toEqual([
    ["→ run_start", undefined, TURN],
    ["→ turn_start 1", 1, TURN],
    ["→ message_start", 1, TURN],
    ["→ model_request_start", 1, TURN],
    ["→ text_delta h", 1, ATTEMPT],
    ["→ message_update", 1, ATTEMPT],
    ["→ api_retry 1", 1, ATTEMPT],
    ["→ message_update 2", 1, TURN],
    ["→ message_update", 1, ATTEMPT],
    ["→ tool_input_coerced look", 1, ATTEMPT],
    ["→ model_request_end", 1, ATTEMPT],
    ["→ message_end", 1, ATTEMPT],
    ["→ tool_queued look", 1, "execute_tool look"],
    ["→ mod_error odd beforeToolCall", 1, "beforeToolCall odd"],
    ["→ tool_running look", 1, "execute_tool look"],
    ["→ tool_update look", 1, "execute_tool look"],
    ["→ mod_error odd afterToolCall", 1, "afterToolCall odd"],
    ["→ tool_completed look", 1, "execute_tool look"],
    ["→ turn_end 1", 1, TURN],
    ["→ mod_error odd prepareNextTurn", 1, "prepareNextTurn odd"],
    ["→ turn_start 2", 2, TURN],
    ["→ message_start", 2, TURN],
    ["→ model_request_start", 2, TURN],
    ["→ message_update", 2, ATTEMPT],
    ["→ model_request_end", 2, ATTEMPT],
    ["→ message_end", 2, ATTEMPT],
    ["→ tool_queued look", 2, "execute_tool look"],
    ["→ tool_queued none", 2, "execute_tool none"],
    ["→ tool_queued stopped", 2, "execute_tool stopped"],
    ["→ tool_queued fix", 2, "execute_tool fix"],
    ["→ tool_input_repaired fix", 2, "execute_tool fix"],
    ["→ mod_error odd beforeToolCall", 2, "beforeToolCall odd"],
    ["→ tool_running look", 2, "execute_tool look"],
    ["→ tool_update look", 2, "execute_tool look"],
    ["→ mod_error odd afterToolCall", 2, "afterToolCall odd"],
    ["→ tool_completed look", 2, "execute_tool look"],
    ["→ tool_errored none", 2, "execute_tool none"],
    ["→ mod_error odd beforeToolCall", 2, "beforeToolCall odd"],
    ["→ tool_hook_blocked stopped", 2, "execute_tool stopped"],
    ["→ mod_error odd beforeToolCall", 2, "beforeToolCall odd"],
    ["→ tool_running fix", 2, "execute_tool fix"],
    ["→ mod_error odd afterToolCall", 2, "afterToolCall odd"],
    ["→ tool_completed fix", 2, "execute_tool fix"],
    ["→ mod_error slot afterToolCall", 2, "execute_tool fix"],
    ["→ turn_end 2", 2, TURN],
    ["→ mod_error odd prepareNextTurn", 2, "prepareNextTurn odd"],
    ["→ turn_start 3", 3, TURN],
    ["→ message_start", 3, TURN],
    ["→ model_request_start", 3, TURN],
    ["→ model_request_end", 3, ATTEMPT],
    ["→ message_end", 3, ATTEMPT],
    ["→ turn_end 3", 3, TURN],
    ["→ continuation_recovery", 3, TURN],
    ["→ mod_error odd prepareNextTurn", 3, "prepareNextTurn odd"],
    ["→ turn_start 4", 4, TURN],
    ["→ message_start", 4, TURN],
    ["→ model_request_start", 4, TURN],
    ["→ text_delta done", 4, ATTEMPT],
    ["→ message_update", 4, ATTEMPT],
    ["→ model_request_end", 4, ATTEMPT],
    ["→ message_end", 4, ATTEMPT],
    ["→ turn_end 4", 4, TURN],
    ["→ run_end end_turn", undefined, TURN],
  ]);
});

test("a subagent: its events of its parent's stream carry the parent's round, and its failures their own span", async () => {
  const lines = await stamps(SUBAGENT);
  expect(lines.slice(6, 14)).toEqual([
    ["→ message_end", 1, ATTEMPT],
    ["→ tool_queued agent", 1, "execute_tool agent"],
    ["→ tool_running agent", 1, "execute_tool agent"],
    ["→ subagent_start scout", 1, "execute_tool agent"],
    ["→ subagent_progress scout look", 1, "execute_tool agent"],
    ["→ mod_error odd onStop", 1, "onStop odd"],
    ["→ subagent_stop scout", 1, "execute_tool agent"],
    ["→ tool_completed agent", 1, "execute_tool agent"],
  ]);
});

test("a turn that fails in a round says in which", async () => {
  const failed = await stamps(FAILED);
  expect(failed.slice(-2)).toEqual([
    ["→ run_error", 1, TURN],
    ["→ run_end error", undefined, TURN],
  ]);
});

test("an interrupt in a round says in which", async () => {
  const interrupted = await stamps(INTERRUPTED);
  expect(interrupted.slice(-2)).toEqual([
    ["→ interrupted", 2, TURN],
    ["→ run_end interrupted", undefined, TURN],
  ]);
});

test("a denial carries its call's span", async () => {
  const denied = await stamps(DENIED);
  expect(denied.slice(-3)).toEqual([
    ["→ tool_denied look", 1, "execute_tool look"],
    ["→ turn_end 1", 1, TURN],
    ["→ run_end permission_denied", undefined, TURN],
  ]);
});

test("what a listener failed at carries the round and the span of the event it failed at", async () => {
  const lines = await stamps(LISTENER);
  expect(lines.filter(([entry]) => entry.includes("model_request_end"))).toEqual([
    ["→ model_request_end", 1, ATTEMPT],
    ["→ mod_error odd on:model_request_end", 1, ATTEMPT],
  ]);
});

test("these scenarios have every event of the loop, but for those that belong to no turn", async () => {
  const seen = new Set<string>();
  for (const scenario of [PLAIN, TOOLS, SUBAGENT, FAILED, INTERRUPTED, DENIED, LISTENER]) {
    for (const { type } of await eventsOf(scenario)) seen.add(type);
  }
  const own = Object.entries(AGENT_EVENTS).filter(([, { by }]) => by === "loop");
  expect(own.map(([type]) => type).filter((type) => !seen.has(type))).toEqual(["notice", "permission_mode_changed"]);
});
