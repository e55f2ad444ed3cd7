import { mutableCopy } from "@hookscope/hooks/internal";

import { HarnessError } from "./errors.ts";
import type { AgentState } from "./state.ts";

/** A copy of a mod's slot, to change and give to `setModState`; undefined when unset. */
export function getModState<Value>({
  state,
  modId,
}: {
  readonly state: AgentState;
  readonly modId: string;
}): Value | undefined {
  return Object.hasOwn(state.modState, modId) ? mutableCopy(state.modState[modId] as Value) : undefined;
}

/**
 * A fresh state with the mod's slot replaced as a whole.
 *
 * @throws HarnessError MOD_STATE_INVALID where the value cannot be written as JSON: it is kept with the session
 */
export function setModState({
  state,
  modId,
  value,
}: {
  readonly state: AgentState;
  readonly modId: string;
  readonly value: unknown;
}): AgentState {
  const problem = findUnserialisable(value, "value", []);
  if (problem !== undefined) throw new HarnessError("MOD_STATE_INVALID", `modState of mod "${modId}": ${problem}`);
  return { ...state, modState: { ...state.modState, [modId]: value } };
}

/** Below that of a snapshot, which would put a marker in place of what is deeper. */
const MAX_DEPTH = 150;

export function findUnserialisable(value: unknown, path: string, ancestors: readonly object[]): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `${path} is ${value}, which JSON cannot say.`;
    case "object":
      break;
    default:
      return `${path} is a ${typeof value}, which JSON cannot say.`;
  }
  if (value === null) return undefined;
  if (ancestors.includes(value)) return `${path} contains itself.`;
  if (ancestors.length === MAX_DEPTH) return `${path.slice(0, 100)}… is nested deeper than ${MAX_DEPTH} levels.`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `${path} is no plain object; write it as plain data.`;
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const problem = findUnserialisable(item, `${path}.${key}`, [...ancestors, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
