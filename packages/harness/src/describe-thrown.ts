import { describeError } from "@hookscope/hooks/internal";

/** The message of whatever was thrown; never throws itself. */
export function describeThrown(thrown: unknown): string {
  return describeError(thrown).message;
}
