import type { Decision } from "./invocation.ts";
import type { HookPointRow, ModifyField, ModifyShape } from "./points.ts";

/** What a hook's return value says at a point. */
export interface Judgement {
  readonly decision: Decision;
  /** Whether the point takes it. */
  readonly accepted: boolean;
  /** The value of a modify, the reason of a block or the question of an ask. */
  readonly value?: unknown;
  readonly text?: string | undefined;
  /** Why it is not taken; a sentence for the log. */
  readonly problem?: string | undefined;
}

const NO_CHANGE: Judgement = { decision: "continue", accepted: true };

/** Reads a return value against the point's row. Never throws, whatever the value is. */
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

function judgeModify(row: HookPointRow, value: unknown): Judgement {
  if (!row.accepts.includes("modify" as never) || row.modify === undefined) return refused(row, "modify");
  const problem = checkShape(row.modify, value);
  if (problem === undefined) return { decision: "modify", accepted: true, value };
  return { decision: "modify", accepted: false, problem };
}

function checkShape(shape: ModifyShape, value: unknown): string | undefined {
  if (shape.form === "text") {
    if (typeof value !== "string") return `the value of its modify is ${describe(value)}; it must be a text`;
    return shape.mayBeEmpty || value !== "" ? undefined : "the value of its modify is an empty text";
  }
  const names = Object.keys(shape.fields);
  const expected = `{ ${names.join(", ")} }`;
  if (!isPlainObject(value)) return `the value of its modify is ${describe(value)}; it must be an object ${expected}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return `the value of its modify is an empty object; it must have some of ${expected}`;
  for (const key of keys) {
    const field = shape.fields[key];
    if (field === undefined) return `its modify has a field "${key}"; the fields are ${expected}`;
    const problem = checkField(field, key, value[key]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkField(field: ModifyField, key: string, value: unknown): string | undefined {
  if (field.type === "object") {
    if (!isPlainObject(value)) return `"${key}" of its modify is ${describe(value)}; it must be an object`;
    return Object.keys(value).length === 0 ? `"${key}" of its modify is empty` : undefined;
  }
  if (typeof value !== field.type) return `"${key}" of its modify is ${describe(value)}; it must be a ${field.type}`;
  if (field.type === "number" && !Number.isFinite(value)) return `"${key}" of its modify is not a finite number`;
  return undefined;
}

/** An observer may return anything; only what looks like a directive is worth a word. */
function garbage(row: HookPointRow, what: string): Judgement {
  if (row.kind === "observer") return NO_CHANGE;
  return { decision: "none", accepted: false, problem: `it returned ${what}, which is no hook result` };
}

function refused(row: HookPointRow, decision: Decision, text?: string): Judgement {
  const takes = row.accepts.length === 0 ? "observers only watch" : `it takes ${row.accepts.join(", ")}`;
  return { decision, accepted: false, text, problem: `the point does not take ${decision}: ${takes}` };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return `${/^[aeiou]/.test(typeof value) ? "an" : "a"} ${typeof value}`;
}
