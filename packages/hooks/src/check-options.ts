import type { Context } from "@opentelemetry/api";

import { HookError } from "./errors.ts";
import type { HookBusOptions } from "./hook-bus.ts";
import { checkTimeout } from "./hook.ts";
import { showValue } from "./show-value.ts";

/** What the bus calls of each part it may be given. */
const PARTS: {
  readonly [Part in "clock" | "logger" | "redact" | "tracer"]: readonly (keyof NonNullable<HookBusOptions[Part]>)[];
} = {
  clock: ["now", "setTimer"],
  logger: ["warn"],
  redact: ["text", "value"],
  tracer: ["startSpan"],
};

/** @throws HookError HOOK_OPTION_INVALID, HOOK_TIMEOUT_INVALID */
export function checkBusOptions(options: HookBusOptions): void {
  checkTimeout(options.timeoutMs, "the bus");
  checkTimeout(options.suspendMs, "the bus", "suspendMs");
  checkMaxSpans(options.maxSpansPerTurn);
  for (const [part, names] of Object.entries(PARTS)) checkPart(part, options[part as keyof typeof PARTS], names);
  if (options.hooks !== undefined && !Array.isArray(options.hooks)) {
    throw unusable("the bus", "hooks", options.hooks, "a list of hooks");
  }
}

/** @throws HookError HOOK_OPTION_INVALID */
export function checkSurroundings(where: string, signal: AbortSignal | undefined, parent: Context | undefined): void {
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw unusable(where, "signal", signal, "an AbortSignal");
  }
  if (parent !== undefined && typeof parent?.getValue !== "function") {
    throw unusable(where, "parent", parent, "an OpenTelemetry Context");
  }
}

function checkPart(name: string, part: unknown, functions: readonly string[]): void {
  if (part === undefined) return;
  if (part === null || (typeof part !== "object" && typeof part !== "function")) {
    throw unusable("the bus", name, part, `an object with \`${functions.join("` and `")}\``);
  }
  for (const each of functions) {
    if (typeof Reflect.get(part, each) === "function") continue;
    throw new HookError("HOOK_OPTION_INVALID", `the bus: ${name} has no function \`${each}\`.`);
  }
}

function checkMaxSpans(limit: number | undefined): void {
  if (limit === undefined || limit === Infinity || (Number.isInteger(limit) && limit >= 0)) return;
  throw unusable("the bus", "maxSpansPerTurn", limit, "a whole number from 0 on, or Infinity");
}

function unusable(where: string, option: string, given: unknown, wanted: string): HookError {
  return new HookError("HOOK_OPTION_INVALID", `${where}: ${option} is ${showValue(given)}; give ${wanted}.`);
}
