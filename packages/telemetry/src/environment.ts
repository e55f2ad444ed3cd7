import type { Warn } from "./warnings.ts";

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The SDK reads `process.env` and nothing else. Where the caller brings an environment of its own, that one stands in
 * its place while `construct` runs, which is synchronous.
 */
export function withEnvironment<T>(environment: Environment | undefined, construct: () => T): T {
  if (environment === undefined) return construct();
  const original = process.env;
  process.env = { ...environment };
  try {
    return construct();
  } finally {
    process.env = original;
  }
}

/** A variable's text; blank counts as unset, as the OpenTelemetry specification has it. */
export function readText(environment: Environment, ...names: readonly string[]): string | undefined {
  return names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== "");
}

/** A whole number of at least `minimum`; anything else is said and left out. */
export function readNumber(environment: Environment, name: string, minimum: number, warn: Warn): number | undefined {
  const text = readText(environment, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= minimum) return number;
  warn("TELEMETRY_ENVIRONMENT_IGNORED", `${name} must be a whole number of at least ${minimum}; ignored`, { name });
  return undefined;
}
