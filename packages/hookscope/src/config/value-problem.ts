import { suggest } from "@hookscope/hooks/internal";
import type { z } from "zod";

import { listed } from "./listed.ts";

export type Issue = z.core.$ZodIssue;

/** What a value must be that is not: `must be a whole number`. Ends a sentence that begins with the setting's name. */
export function valueProblem(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "too_small":
      if (issue.origin === "string" || issue.origin === "array") return "must not be empty";
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "invalid_value": {
      const values = issue.values.map(String);
      const near = typeof issue.input === "string" ? suggest(issue.input, values) : undefined;
      const hint = near === undefined ? "" : `; did you mean ${near}?`;
      return `must be ${listed(values.map((value) => JSON.stringify(value)))}${hint}`;
    }
    default:
      return issue.message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
  array: "a list",
  object: "a table",
  record: "a table",
};
