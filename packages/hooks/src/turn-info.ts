import type { TurnInfo } from "./payloads.ts";
import { snapshot } from "./snapshot.ts";

/** A turn's identity, for embedding the bus in a loop of one's own: what is not given gets a plain default. */
export function turnInfo(given: Partial<TurnInfo> = {}): TurnInfo {
  return snapshot({
    turn_id: crypto.randomUUID(),
    session_id: crypto.randomUUID(),
    profile: "default",
    platform: "embedded",
    agent: "agent",
    model: "unknown",
    tags: [],
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  });
}
