import { LONGEST_TIMER_MS, suggest } from "@hookscope/hooks/internal";

import { HarnessError } from "./errors.ts";

/** What a value must be: a test, and the words for it. */
export interface FieldRule {
  readonly must: string;
  readonly fits: (value: unknown) => boolean;
  /** Of an object's own fields, each of which may be absent. */
  readonly fields?: { readonly [name: string]: FieldRule };
}

/** A rule for each field of an object: one without its rule does not compile. */
export type FieldRules<Given extends object> = { readonly [Name in keyof Required<Given>]: FieldRule };

/**
 * @param called what was given it, a function
 * @param wanted what it must be given: an object in any case
 * @throws HarnessError HARNESS_OPTION_INVALID
 */
export function checkGiven(called: string, given: unknown, wanted: string): void {
  if (isObject(given)) return;
  const problem = `${called} was given ${describeValue(given)}; it must be given ${wanted}.`;
  throw new HarnessError("HARNESS_OPTION_INVALID", problem);
}

/**
 * Tests the fields that are given. A name that is nearly one of them is a mistyped one, which would go unnoticed; others
 * may be there for somebody else.
 *
 * @param path what stands before the fields' names
 * @throws HarnessError HARNESS_OPTION_INVALID, naming the field and what it must be
 */
export function checkFields(given: object, rules: { readonly [name: string]: FieldRule }, path = ""): void {
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) refuseMistyped(name, Object.keys(rules), path);
    else if (value !== undefined) checkField(value, rule, path + name);
  }
}

/** @throws HarnessError HARNESS_OPTION_INVALID */
export function checkField(value: unknown, rule: FieldRule, name: string): void {
  if (!rule.fits(value)) {
    throw new HarnessError(
      "HARNESS_OPTION_INVALID",
      `\`${name}\` is ${describeValue(value)}; it must be ${rule.must}.`,
    );
  }
  if (rule.fields !== undefined) checkFields(value as object, rule.fields, `${name}.`);
}

function refuseMistyped(name: string, known: readonly string[], path: string): void {
  const near = suggest(name, known);
  if (near === undefined) return;
  throw new HarnessError("HARNESS_OPTION_INVALID", `\`${path}${name}\` is unknown; did you mean \`${path}${near}\`?`);
}

/** A value in a few words; its content only where it is short. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return value.length <= MAX_SHOWN ? JSON.stringify(value) : "a long text";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

const MAX_SHOWN = 40;

export const ANYTHING: FieldRule = { must: "anything", fits: () => true };
export const LIST: FieldRule = { must: "a list", fits: (value) => Array.isArray(value) };
export const FUNCTION: FieldRule = { must: "a function", fits: (value) => typeof value === "function" };
export const BOOLEAN: FieldRule = { must: "true or false", fits: (value) => typeof value === "boolean" };
export const TEXT: FieldRule = { must: "a text", fits: (value) => typeof value === "string" };
export const NAME: FieldRule = {
  must: "a text that is not blank",
  fits: (value) => typeof value === "string" && value.trim() !== "",
};
export const COUNT: FieldRule = wholeNumberFrom(1);
export const NUMBER_ABOVE_0: FieldRule = {
  must: "a number above 0",
  fits: (value) => Number.isFinite(value) && (value as number) > 0,
};
export const SIGNAL: FieldRule = { must: "an AbortSignal", fits: (value) => value instanceof AbortSignal };
export const SESSION: FieldRule = {
  must: "a session that a session store created or opened",
  fits: (value) => hasFunctions(value, "state", "commit", "beginTurn", "createChild"),
};

export const DURATION_MS: FieldRule = {
  must: `a number of milliseconds above 0, up to ${LONGEST_TIMER_MS}`,
  fits: (value) => typeof value === "number" && value > 0 && value <= LONGEST_TIMER_MS,
};

export function wholeNumberFrom(least: number): FieldRule {
  return {
    must: `a whole number from ${least}`,
    fits: (value) => Number.isInteger(value) && (value as number) >= least,
  };
}

/** @param names the functions it must have, of which the first is named to whoever gave something else */
export function objectWith(...names: readonly [string, ...string[]]): FieldRule {
  return { must: `an object with a function \`${names[0]}\``, fits: (value) => hasFunctions(value, ...names) };
}

export function objectOf<Given extends object>(fields: FieldRules<Given>): FieldRule {
  return { must: "an object", fits: isObject, fields };
}

export function oneOf(values: readonly string[]): FieldRule {
  return {
    must:
      values.length === 2 ? values.map((value) => JSON.stringify(value)).join(" or ") : `one of ${values.join(", ")}`,
    fits: (value) => values.includes(value as string),
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasFunctions(value: unknown, ...names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
}
