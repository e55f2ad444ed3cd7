import type { JsonObject } from "@hookscope/hooks";

export interface ParsedInput {
  readonly input: JsonObject;
  /** Why the call cannot run as it is. */
  readonly problem?: string;
  /** Set where the model sent something that is no object. */
  readonly coercedFrom?: string;
}

/** Reads a model's tool input. Nothing at all counts as no arguments. */
export function parseToolInput(raw: string): ParsedInput {
  if (raw.trim() === "") return { input: {} };
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return {
      input: {},
      problem: `the input is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { input: value as JsonObject };
  return coerce(value);
}

/** null means no arguments; a list of one object, or JSON within a text, means the object. */
function coerce(value: unknown): ParsedInput {
  const coercedFrom = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (value === null) return { input: {}, coercedFrom };
  const inner: unknown =
    Array.isArray(value) && value.length === 1 ? value[0] : typeof value === "string" ? tryParse(value) : undefined;
  if (typeof inner === "object" && inner !== null && !Array.isArray(inner))
    return { input: inner as JsonObject, coercedFrom };
  return { input: {}, coercedFrom, problem: `the input is a JSON ${coercedFrom}; it must be an object` };
}

function tryParse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
