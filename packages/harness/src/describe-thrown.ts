import { describeError } from "@hookscope/hooks/internal";

/** The message of whatever was thrown; never throws itself. */
export function describeThrown(thrown: unknown): string {
  return describeError(thrown).message;
}

/** The name of an error; `unknown` for whatever else was thrown, and for what cannot be read. Never throws itself. */
export function typeOfThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.name) : "unknown";
  } catch {
    return "unknown";
  }
}
