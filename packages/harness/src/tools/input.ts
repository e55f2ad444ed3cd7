import { HarnessError } from "../errors.ts";

/*
 * The loop validates inputs against their schemas; these are for tools that are called without it, and give the types.
 */

type Input = Readonly<Record<string, unknown>>;

/** @throws HarnessError TOOL_INPUT_INVALID */
export function textField(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === "string") return value;
  throw new HarnessError("TOOL_INPUT_INVALID", `"${name}" must be a text.`);
}

/** @throws HarnessError TOOL_INPUT_INVALID */
export function optionalText(input: Input, name: string): string | undefined {
  return input[name] === undefined ? undefined : textField(input, name);
}

/** A whole number from 1. @throws HarnessError TOOL_INPUT_INVALID */
export function countField(input: Input, name: string, preset: number, most: number = Number.MAX_SAFE_INTEGER): number {
  const value = input[name] ?? preset;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return Math.min(value, most);
  throw new HarnessError("TOOL_INPUT_INVALID", `"${name}" must be a whole number from 1.`);
}
