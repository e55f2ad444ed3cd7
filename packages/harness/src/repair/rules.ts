import type { JsonObject, JsonValue } from "@hookscope/hooks";

import { isObject, type InputSchema } from "./schema.ts";

/** One way in which models get an input wrong. Gives the same object back where it does not apply. */
type RepairRule = (input: JsonObject, schema: InputSchema) => JsonObject;

/** The rules by name, in the order they are tried; each sees what the one before left. */
export const REPAIR_RULES: { readonly [name: string]: RepairRule } = {
  unwrapped: unwrap,
  key_case: (input, schema) => renameKeys(input, schema, sameWord),
  key_alias: (input, schema) => renameKeys(input, schema, sameMeaning),
  null_left_out: leaveOutNull,
  json_parsed: (input, schema) => mapValues(input, schema, parseJson),
  number_parsed: (input, schema) => mapValues(input, schema, parseNumber),
  boolean_parsed: (input, schema) => mapValues(input, schema, parseBoolean),
  list_made: (input, schema) => mapValues(input, schema, makeList),
};

/** Names that models take for one another. */
const ALIASES: readonly (readonly string[])[] = [
  ["file_path", "path", "file", "file_name", "filename", "filepath", "target_file"],
  ["path", "directory", "dir", "folder"],
  ["command", "cmd", "script", "shell_command"],
  ["content", "contents", "text", "body", "file_text"],
  ["pattern", "query", "regex", "search"],
  ["old_text", "old_string", "old_str", "search", "find"],
  ["new_text", "new_string", "new_str", "replace", "replacement"],
  ["prompt", "task", "instructions"],
];

/** Keys under which a whole input is put one level too deep. */
const WRAPPERS: readonly string[] = ["input", "arguments", "args", "parameters", "params"];

function unwrap(input: JsonObject, schema: InputSchema): JsonObject {
  const [key, ...others] = Object.keys(input);
  if (key === undefined || others.length > 0 || !WRAPPERS.includes(key) || schema.has(key)) return input;
  const inner = input[key];
  return isObject(inner) ? inner : input;
}

/** A key that the schema does not know, for one that it knows and the input lacks; not where two would do. */
function renameKeys(
  input: JsonObject,
  schema: InputSchema,
  stands: (given: string, known: string) => boolean,
): JsonObject {
  let renamed = input;
  for (const given of Object.keys(input)) {
    if (schema.has(given)) continue;
    const candidates = schema.names.filter((known) => !Object.hasOwn(renamed, known) && stands(given, known));
    const [known, ...others] = candidates;
    if (known === undefined || others.length > 0) continue;
    renamed = Object.fromEntries(Object.entries(renamed).map(([key, value]) => [key === given ? known : key, value]));
  }
  return renamed;
}

function sameWord(given: string, known: string): boolean {
  return plain(given) === plain(known);
}

function plain(key: string): string {
  return key.replaceAll(/[_\-\s]/gu, "").toLowerCase();
}

function sameMeaning(given: string, known: string): boolean {
  const word = plain(given);
  return ALIASES.some((names) => names.includes(known) && names.some((name) => plain(name) === word));
}

function leaveOutNull(input: JsonObject, schema: InputSchema): JsonObject {
  const isLeftOut = ([key, value]: readonly [string, JsonValue]): boolean =>
    value === null && schema.has(key) && !schema.requires(key) && !schema.takes(key, "null");
  const entries = Object.entries(input);
  return entries.some(isLeftOut) ? Object.fromEntries(entries.filter((entry) => !isLeftOut(entry))) : input;
}

type Conversion = (value: JsonValue, takes: (type: string) => boolean) => JsonValue;

function mapValues(input: JsonObject, schema: InputSchema, convert: Conversion): JsonObject {
  let mapped = input;
  for (const [key, value] of Object.entries(input)) {
    const converted = convert(value, (type) => schema.takes(key, type));
    if (converted !== value) mapped = { ...mapped, [key]: converted };
  }
  return mapped;
}

function parseJson(value: JsonValue, takes: (type: string) => boolean): JsonValue {
  if (typeof value !== "string" || takes("string")) return value;
  try {
    const parsed = JSON.parse(value) as JsonValue;
    return (Array.isArray(parsed) && takes("array")) || (isObject(parsed) && takes("object")) ? parsed : value;
  } catch {
    return value;
  }
}

function parseNumber(value: JsonValue, takes: (type: string) => boolean): JsonValue {
  if (typeof value !== "string" || takes("string") || !(takes("number") || takes("integer"))) return value;
  return /^\s*-?\d+(?:\.\d+)?\s*$/u.test(value) ? Number(value) : value;
}

function parseBoolean(value: JsonValue, takes: (type: string) => boolean): JsonValue {
  if (typeof value !== "string" || takes("string") || !takes("boolean")) return value;
  const word = value.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : value;
}

function makeList(value: JsonValue, takes: (type: string) => boolean): JsonValue {
  const isSingle = !Array.isArray(value) && value !== null;
  const takesItself = takes("object") || takes(typeof value) || (typeof value === "number" && takes("integer"));
  return isSingle && takes("array") && !takesItself ? [value] : value;
}
