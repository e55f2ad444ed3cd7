import { describeError } from "../describe-error.ts";
import { HookError } from "../errors.ts";
import type { SecretKeyName } from "./key-names.ts";
import type { SecretShape } from "./secret-shape.ts";

/** @throws {HookError} HOOK_REDACTOR_INVALID, naming the row and what is wrong with it. */
export function checkShapes(shapes: unknown, taken: readonly string[]): readonly SecretShape[] {
  const ids = new Set(taken);
  return checkRows(shapes, "shapes", (row) => {
    const shape = checkShape(row);
    if (ids.has(shape.id)) throw new TypeError(`the id "${shape.id}" is taken`);
    ids.add(shape.id);
    return shape;
  });
}

/** @throws {HookError} HOOK_REDACTOR_INVALID, naming the row and what is wrong with it. */
export function checkKeyNames(names: unknown, option: string): readonly string[] {
  return checkRows(names, option, (row) => {
    if (typeof row !== "string" || !/[A-Za-z0-9]/.test(row))
      throw new TypeError("it is not a string with a letter or a digit");
    return row;
  });
}

export function toSecretKeyName(name: string): SecretKeyName {
  return { name, match: "suffix", secret: true };
}

function checkShape(row: unknown): SecretShape {
  if (typeof row !== "object" || row === null) throw new TypeError("it is not an object");
  const { id, description, pattern, hints, group }: Partial<Record<keyof SecretShape, unknown>> = row;
  if (typeof id !== "string" || !/^[a-z][a-z0-9_]{0,63}$/.test(id))
    throw new TypeError("`id` is not lower-case words joined by _");
  if (typeof description !== "string") throw new TypeError("`description` is not a string");
  if (!(pattern instanceof RegExp)) throw new TypeError("`pattern` is not a regular expression");
  if (pattern.sticky) throw new TypeError("`pattern` is sticky: it would be tried at one place only");
  if (new RegExp(pattern.source, pattern.flags.replaceAll("g", "")).test(""))
    throw new TypeError("`pattern` matches the empty text");
  if (!isStringArray(hints)) throw new TypeError("`hints` is not a list of non-empty strings");
  const groups = (new RegExp(`${pattern.source}|`, pattern.flags).exec("")?.length ?? 1) - 1;
  if (group === undefined) return { id, description, pattern, hints };
  if (typeof group !== "number" || !Number.isInteger(group) || group < 1 || group > groups) {
    throw new TypeError(`\`group\` is not one of the pattern's capture groups, of which there are ${groups}`);
  }
  return { id, description, pattern, hints, group };
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string" && item !== "");
}

function checkRows<Row>(rows: unknown, option: string, check: (row: unknown) => Row): readonly Row[] {
  if (rows === undefined) return [];
  if (!Array.isArray(rows)) throw new HookError("HOOK_REDACTOR_INVALID", `\`${option}\` is not an array.`);
  return rows.map((row: unknown, index) => {
    try {
      return check(row);
    } catch (cause) {
      const what = describeError(cause).message.replace(/\.$/, "");
      throw new HookError("HOOK_REDACTOR_INVALID", `\`${option}[${index}]\` cannot be used: ${what}.`, { cause });
    }
  });
}
