import { COMMAND_HOOK_ERRORS } from "@hookscope/command-hooks";
import { HARNESS_ERRORS } from "@hookscope/harness";
import { HOOK_ERRORS } from "@hookscope/hooks";
import { METRICS_ERRORS } from "@hookscope/metrics";
import { TELEMETRY_ERRORS } from "@hookscope/telemetry";
import { TESTING_ERRORS } from "@hookscope/testing";
import { COMMAND_ERRORS } from "hookscope";

import { table } from "./table.ts";

const INTRODUCTION = `<!-- Generated from the packages' errors.ts by \`npm run docs:generate\`. Do not edit. -->

# Errors

Every error has a stable code, a sentence that says what is wrong and where, and often a cause. What goes wrong inside a
turn does not throw: it becomes an outcome of the turn, an event, a counter and a span's status.`;

const PACKAGES: { readonly [name: string]: Readonly<Record<string, string>> } = {
  "@hookscope/hooks": HOOK_ERRORS,
  "@hookscope/harness": HARNESS_ERRORS,
  "@hookscope/command-hooks": COMMAND_HOOK_ERRORS,
  "@hookscope/telemetry": TELEMETRY_ERRORS,
  "@hookscope/metrics": METRICS_ERRORS,
  "@hookscope/testing": TESTING_ERRORS,
  "the hookscope command": COMMAND_ERRORS,
};

/** docs/errors.md: every code of every package, with what it means and what to do. */
export function errorsDocument(): string {
  const sections = Object.entries(PACKAGES).map(([name, errors]) => {
    const rows = Object.entries(errors).map(([code, meaning]) => [`\`${code}\``, meaning]);
    return `## ${name}\n\n${table(["code", "what it means, and what to do"], rows)}`;
  });
  return `${[INTRODUCTION, ...sections].join("\n\n")}\n`;
}
