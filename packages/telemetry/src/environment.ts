import type { Warn } from "./warnings.ts";

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The SDK reads `process.env` and nothing else, and takes values as they are. Here `environment` stands in its place while
 * `construct` runs, which is synchronous, without the blanks that a file of variables or a shell left around a value: what
 * is said about a variable holds for the SDK too.
 */
export function withEnvironment<T>(environment: Environment, construct: () => T): T {
  const original = process.env;
  process.env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, name.startsWith("OTEL_") ? value?.trim() : value]),
  );
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
