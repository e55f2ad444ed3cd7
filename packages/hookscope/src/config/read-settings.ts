import { readFileSync } from "node:fs";

import { suggest } from "@hookscope/hooks/internal";
import { parse, TomlError } from "smol-toml";

import { CommandError } from "../errors.ts";
import { keysAt } from "./keys.ts";
import { lineOf } from "./locate.ts";
import { SETTINGS } from "./schema.ts";
import type { Settings } from "./settings.ts";
import { valueProblem, type Issue } from "./value-problem.ts";

/** @throws CommandError CONFIG_UNREADABLE, CONFIG_INVALID with every problem, and its line */
export function readSettings(path: string): Settings {
  const text = read(path);
  // The value is kept with each issue: a near miss can be told.
  const result = SETTINGS.safeParse(parseToml(text, path), { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => describe(issue, text, path));
  throw new CommandError("CONFIG_INVALID", problems.join("; "));
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError("CONFIG_UNREADABLE", `${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function parseToml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new CommandError("CONFIG_INVALID", `${path}:${error.line}:${error.column}: this is no TOML: ${problem}.`, {
      cause: error,
    });
  }
}

function describe(issue: Issue, text: string, file: string): readonly string[] {
  const place = (path: readonly PropertyKey[]): string => {
    const line = lineOf(text, path);
    return line === undefined ? file : `${file}:${line}`;
  };
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return `${place(path)}: there is no setting ${nameOf(path)}${hint(key, keysAt(issue.path))}`;
    });
  }
  if (lineOf(text, issue.path) === undefined) {
    const wanted = issue.code === "invalid_value" ? `: it ${valueProblem(issue)}` : "";
    return [`${place(issue.path.slice(0, -1))}: ${nameOf(issue.path)} is missing${wanted}`];
  }
  return [`${place(issue.path)}: ${nameOf(issue.path)} ${valueProblem(issue)}`];
}

function hint(key: string, candidates: readonly string[]): string {
  const near = suggest(key, candidates);
  return near === undefined ? `; there are ${candidates.join(", ")}` : `; did you mean ${near}?`;
}

/** `metrics.budgets[0].usd` */
function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${quoted(String(key))}`))
    .join("");
}

function quoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
