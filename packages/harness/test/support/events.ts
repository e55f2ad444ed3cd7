import type { AgentEvent, AgentEventType } from "../../src/index.ts";

const STAMP: ReadonlySet<string> = new Set(["timestamp", "runId", "round", "spanId"]);

/** An event's own fields: what the loop stamps on every event is left out. */
export function withoutStamp(event: AgentEvent): Record<string, unknown> {
  return Object.fromEntries(Object.entries(event).filter(([key]) => !STAMP.has(key)));
}

/** What each event of one type carries. */
export function payloads(events: readonly AgentEvent[], type: AgentEventType): readonly object[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => Object.fromEntries(Object.entries(withoutStamp(event)).filter(([key]) => key !== "type")));
}
