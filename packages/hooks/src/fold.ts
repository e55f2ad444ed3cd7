import type { NotAppliedReason } from "./invocation.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { FailurePolicy, ModifyField, ModifyShape } from "./points.ts";

/** What a fold needs to know of one invocation. */
export interface Outcome {
  readonly hook: string;
  readonly pass: 1 | 2;
  /** A call that failed has nothing to say; its failure policy speaks for it. */
  readonly failure?: string | undefined;
  readonly failurePolicy: FailurePolicy;
  readonly decision: "continue" | "modify" | "block" | "ask_user" | "none";
  readonly accepted: boolean;
  readonly value?: unknown;
  readonly text?: string | undefined;
}

export interface Applied {
  readonly applied: boolean;
  readonly notAppliedReason?: NotAppliedReason | undefined;
}

export type Folded =
  | { readonly decision: "continue" }
  | { readonly decision: "modify"; readonly value: unknown }
  | { readonly decision: "ask_user"; readonly question: string; readonly hook: string; readonly value?: unknown }
  | {
      readonly decision: "block";
      readonly reason: string;
      readonly hook: string;
      readonly cause: "policy" | "failure";
    };

export interface Fold {
  readonly verdict: Folded;
  /** One for each outcome, in the same order. */
  readonly applied: readonly Applied[];
}

const CONTINUE: Folded = { decision: "continue" };
const NOTHING: Applied = { applied: false };
const APPLIED: Applied = { applied: true };
const SUPERSEDED: Applied = { applied: false, notAppliedReason: "superseded" };
const NOT_ACCEPTED: Applied = { applied: false, notAppliedReason: "not_accepted" };
const FAILED_OPEN: Applied = { applied: false, notAppliedReason: "failed_open" };

/** Any return is ignored. */
export function foldObserver(outcomes: readonly Outcome[]): Fold {
  return { verdict: CONTINUE, applied: outcomes.map(silent) };
}

/** The first modify is the new content; a later one is superseded. */
export function foldTransform(outcomes: readonly Outcome[]): Fold {
  const first = outcomes.find(isModify);
  const applied = outcomes.map((outcome) => {
    if (!speaks(outcome)) return silent(outcome);
    return outcome === first ? APPLIED : SUPERSEDED;
  });
  return { verdict: first === undefined ? CONTINUE : { decision: "modify", value: first.value }, applied };
}

/** The signal fired: the action neither runs nor is blocked, so nothing shaped the outcome. */
export function foldAborted(outcomes: readonly Outcome[]): readonly Applied[] {
  return outcomes.map((outcome) => (speaks(outcome) ? SUPERSEDED : silent(outcome)));
}

/** The first block wins, over any ask; else the first ask; modifies are merged in order, later keys win. */
export function foldDirective(outcomes: readonly Outcome[], payload: JsonObject, shape: ModifyShape | undefined): Fold {
  const blocking = outcomes.find(isBlocking);
  const asking = blocking === undefined ? outcomes.find(isAsking) : undefined;
  const merged =
    blocking === undefined && shape?.form === "fields" ? merge(outcomes, payload, shape.fields) : undefined;
  const applied = outcomes.map((outcome) => {
    if (outcome === blocking || outcome === asking) return APPLIED;
    if (!speaks(outcome)) return isBlocking(outcome) ? SUPERSEDED : silent(outcome);
    return merged?.survivors.has(outcome) === true ? APPLIED : SUPERSEDED;
  });
  return { verdict: directiveVerdict(blocking, asking, merged?.value), applied };
}

function directiveVerdict(
  blocking: Outcome | undefined,
  asking: Outcome | undefined,
  value: JsonObject | undefined,
): Folded {
  if (blocking !== undefined) {
    const cause = blocking.failure === undefined ? "policy" : "failure";
    return { decision: "block", reason: blocking.failure ?? blocking.text ?? "", hook: blocking.hook, cause };
  }
  if (asking !== undefined) {
    const question = { decision: "ask_user", question: asking.text ?? "", hook: asking.hook } as const;
    return value === undefined ? question : { ...question, value };
  }
  return value === undefined ? CONTINUE : { decision: "modify", value };
}

interface Merged {
  /** The changed payload fields, complete. */
  readonly value: JsonObject | undefined;
  /** The modifies of which a key survived. */
  readonly survivors: ReadonlySet<Outcome>;
}

/** Keys that would reach a prototype never merge. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function merge(
  outcomes: readonly Outcome[],
  payload: JsonObject,
  fields: { readonly [name: string]: ModifyField },
): Merged {
  const value: Record<string, JsonValue> = {};
  const survivors = new Set<Outcome>();
  const modifies = outcomes.filter((outcome) => isModify(outcome) && outcome.pass === 1);
  for (const [name, field] of Object.entries(fields)) {
    const given = modifies.filter((outcome) => Object.hasOwn(outcome.value as object, name));
    if (given.length === 0) continue;
    const values = given.map((outcome) => (outcome.value as JsonObject)[name] as JsonValue);
    if (field.fold === "join") {
      const texts = values.filter((text) => String(text).trim() !== "");
      if (texts.length === 0) continue;
      value[name] = texts.join("\n\n");
      given.filter((_, index) => String(values[index]).trim() !== "").forEach((outcome) => survivors.add(outcome));
    } else if (field.fold === "replace") {
      value[name] = values.at(-1) as JsonValue;
      survivors.add(given.at(-1) as Outcome);
    } else {
      const owners = new Map<string, Outcome>();
      const object: Record<string, JsonValue> = { ...(payload[name] as JsonObject) };
      given.forEach((outcome, index) => {
        for (const [key, item] of Object.entries(values[index] as JsonObject)) {
          if (FORBIDDEN_KEYS.has(key)) continue;
          object[key] = item;
          owners.set(key, outcome);
        }
      });
      if (owners.size === 0) continue;
      value[name] = object;
      for (const owner of owners.values()) survivors.add(owner);
    }
  }
  return { value: Object.keys(value).length === 0 ? undefined : value, survivors };
}

function isBlocking(outcome: Outcome): boolean {
  if (outcome.failure !== undefined) return outcome.failurePolicy === "closed";
  return outcome.decision === "block" && outcome.accepted;
}

function isAsking(outcome: Outcome): boolean {
  return outcome.failure === undefined && outcome.decision === "ask_user" && outcome.accepted;
}

function isModify(outcome: Outcome): boolean {
  return outcome.failure === undefined && outcome.decision === "modify" && outcome.accepted;
}

/** Whether it asked for something, taken or not. */
function speaks(outcome: Outcome): boolean {
  return (
    outcome.failure === undefined && outcome.accepted && outcome.decision !== "continue" && outcome.decision !== "none"
  );
}

function silent(outcome: Outcome): Applied {
  if (outcome.failure !== undefined) return FAILED_OPEN;
  return outcome.accepted ? NOTHING : NOT_ACCEPTED;
}
