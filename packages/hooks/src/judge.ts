import { isMergeable, type Outcome } from "./fold.ts";
import type { JsonValue } from "./json.ts";
import type { HookPointRow, ModifyField, ModifyShape } from "./points.ts";
import { snapshot } from "./snapshot.ts";

/** What a hook's return value says at a point. */
export interface Judgement {
  readonly decision: Outcome["decision"];
  /** Whether the point takes it. */
  readonly accepted: boolean;
  /** The value of a modify that is taken: a snapshot. */
  readonly value?: unknown;
  /** The reason of a block or the question of an ask. */
  readonly text?: string | undefined;
  /** Why it is not taken; a sentence for the log. */
  readonly problem?: string | undefined;
}

const NO_CHANGE: Judgement = { decision: "continue", accepted: true };

/**
 * Reads a return value against the point's row. Never throws, whatever the value is, and reads each part of it once.
 * A modify with one part that cannot be used, an unknown field for example, is refused whole.
 */
export function judge(row: HookPointRow, returned: unknown): Judgement {
  if (returned === undefined) return NO_CHANGE;
  try {
    return judgeResult(row, returned);
  } catch {
    return garbage(row, "a value that cannot be read");
  }
}

function judgeResult(row: HookPointRow, returned: unknown): Judgement {
  const result = returned as { decision?: unknown; reason?: unknown; question?: unknown; value?: unknown } | null;
  switch (typeof returned === "object" ? result?.decision : undefined) {
    case "continue":
      return NO_CHANGE;
    case "block":
      return judgeText(row, "block", "reason", result?.reason);
    case "ask_user":
      return judgeText(row, "ask_user", "question", result?.question);
    case "modify":
      return judgeModify(row, result?.value);
    default:
      return returned === null ? NO_CHANGE : garbage(row, describe(returned));
  }
}

function judgeText(row: HookPointRow, decision: "block" | "ask_user", field: string, text: unknown): Judgement {
  const given = typeof text === "string" ? text : undefined;
  if (!row.accepts.includes(decision as never)) return refused(row, decision, given);
  if (given !== undefined) return { decision, accepted: true, text: given };
  return {
    decision,
    accepted: false,
    problem: `the ${field} of its ${decision} is ${describe(text)}; it must be a text`,
  };
}

function judgeModify(row: HookPointRow, given: unknown): Judgement {
  if (row.modify === undefined) return refused(row, "modify");
  try {
    const value = row.modify.form === "text" ? readText(row.modify, given) : readFields(row.modify, given);
    return { decision: "modify", accepted: true, value };
  } catch (error) {
    const problem = error instanceof Refusal ? error.message : "the value of its modify cannot be read";
    return { decision: "modify", accepted: false, problem };
  }
}

/** Thrown and caught in this file only: why a modify is not taken. */
class Refusal extends Error {}

function readText(shape: ModifyShape & { form: "text" }, given: unknown): string {
  if (typeof given !== "string") throw new Refusal(`the value of its modify is ${describe(given)}; it must be a text`);
  if (given === "" && !shape.mayBeEmpty) throw new Refusal("the value of its modify is an empty text");
  return given;
}

/** A field that is undefined counts as absent, as in JSON. */
function readFields(shape: ModifyShape & { form: "fields" }, given: unknown): { readonly [name: string]: JsonValue } {
  const expected = `{ ${Object.keys(shape.fields).join(", ")} }`;
  if (!isPlainObject(given)) {
    throw new Refusal(`the value of its modify is ${describe(given)}; it must be an object ${expected}`);
  }
  const fields: Record<string, JsonValue> = {};
  for (const name of Object.keys(given)) {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) throw new Refusal(`its modify has a field "${name}"; the fields are ${expected}`);
    const value = given[name];
    if (value !== undefined) fields[name] = readField(field, name, value);
  }
  if (Object.keys(fields).length === 0) {
    throw new Refusal(`the value of its modify is an empty object; it must have some of ${expected}`);
  }
  return snapshot(fields);
}

function readField(field: ModifyField, name: string, given: unknown): JsonValue {
  if (field.type === "object") {
    const value: unknown = snapshot(given);
    if (!isPlainObject(value)) throw new Refusal(`"${name}" of its modify is ${describe(given)}; it must be an object`);
    if (!Object.keys(value).some(isMergeable)) throw new Refusal(`"${name}" of its modify has no key to merge`);
    return value as JsonValue;
  }
  if (typeof given !== field.type) {
    throw new Refusal(
      `"${name}" of its modify is ${describe(given)}; it must be ${field.type === "string" ? "a text" : `a ${field.type}`}`,
    );
  }
  if (typeof given === "number" && !Number.isFinite(given))
    throw new Refusal(`"${name}" of its modify is not a finite number`);
  if (field.fold === "join" && (given as string).trim() === "") throw new Refusal(`"${name}" of its modify is blank`);
  return given as JsonValue;
}

/** An observer may return anything; only what looks like a directive is worth a word. */
function garbage(row: HookPointRow, what: string): Judgement {
  if (row.kind === "observer") return NO_CHANGE;
  return { decision: "none", accepted: false, problem: `it returned ${what}, which is no hook result` };
}

function refused(row: HookPointRow, decision: Judgement["decision"], text?: string): Judgement {
  const takes = row.accepts.length === 0 ? "observers only watch" : `it takes ${row.accepts.join(", ")}`;
  return { decision, accepted: false, text, problem: `the point does not take ${decision}: ${takes}` };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  return `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}
