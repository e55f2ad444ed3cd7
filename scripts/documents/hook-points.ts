import { HOOK_POINTS, type HookPoint } from "@hookscope/hooks";

import { table } from "./table.ts";

type Row = (typeof HOOK_POINTS)[HookPoint];

const FOLDS = {
  replace: "the later one wins",
  join: "several are joined by a blank line, in order",
  merge: "merged key by key, the later one wins",
};

const INTRODUCTION = `<!-- Generated from packages/hooks/src/points.ts by \`npm run docs:generate\`. Do not edit. -->

# Hook points

Kinds: the first block of a *directive* decides, and its changes are merged in order; the first change of a *transform*
is the new content; an *observer* only watches. A hook that throws, rejects or takes too long is skipped where the
failure policy is open, and blocks where it is closed. Names and payload fields are wire names.`;

/** docs/hook-points.md: an overview of all points, then a section for each with its payload. */
export function hookPointsDocument(): string {
  const rows = Object.entries(HOOK_POINTS);
  const overview = table(
    ["point", "kind", "accepts", "on failure", "fires"],
    rows.map(([name, row]) => [`[${name}](#${name})`, row.kind, row.accepts.join(", "), row.failurePolicy, row.fires]),
  );
  const sections = rows.map(([name, row]) => section(name, row));
  return `${[INTRODUCTION, overview, ...sections].join("\n\n")}\n`;
}

function section(name: string, row: Row): string {
  const fields = Object.entries(row.payload).map(([field, type]) => [`\`${field}\``, `\`${type}\``]);
  return [
    `## ${name}`,
    `Fires: ${row.fires}. ${capitalized(row.kind)}; ${acceptance(row)}; failure policy ${row.failurePolicy}. ` +
      `Its events carry ${row.hasTurn ? "`turn`" : "no `turn`"}.`,
    table(["field", "type"], fields),
  ].join("\n\n");
}

function acceptance({ accepts, modify }: Row): string {
  if (accepts.length === 0) return "accepts nothing";
  return `accepts ${accepts.map((result) => (result === "modify" ? modification(modify) : result)).join(", ")}`;
}

function modification(modify: Row["modify"]): string {
  if (modify === undefined) return "modify";
  if (modify.form === "text") return `modify: a ${modify.mayBeEmpty ? "" : "non-empty "}string`;
  const fields = Object.entries(modify.fields);
  const shape = fields.map(([name, { type }]) => `${name}?: ${type}`).join(", ");
  const folds = new Set(fields.map(([, { fold }]) => FOLDS[fold]));
  return `modify \`{ ${shape} }\` (${[...folds].join("; ")})`;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
