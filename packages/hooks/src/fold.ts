import type { Decision, NotAppliedReason } from "./invocation.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { FailurePolicy, ModifyField, ModifyShape } from "./points.ts";

/** What a fold needs to know of one invocation. */
export interface Outcome {
  readonly hook: string;
  readonly pass: 1 | 2;
  /** A call that failed has nothing to say; its failure policy speaks for it. */
  readonly failure?: string | undefined;
  readonly failurePolicy: FailurePolicy;
  readonly decision: Decision;
  readonly accepted: boolean;
  /** The value of a modify, of the shape its point asks for where it is accepted. */
  readonly value?: unknown;
  /** The reason of a block, the question of an ask. */
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
  return outcomes.map((outcome) => (speaks(outcome) || isBlocking(outcome) ? SUPERSEDED : silent(outcome)));
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

/** A modify of the second pass comes after what it judged, and is superseded. */
function merge(
  outcomes: readonly Outcome[],
  payload: JsonObject,
  fields: { readonly [name: string]: ModifyField },
): Merged {
  const value: Record<string, JsonValue> = {};
  const survivors = new Set<Outcome>();
  const modifies = outcomes.filter((outcome) => isModify(outcome) && outcome.pass === 1);
  for (const [name, { fold }] of Object.entries(fields)) {
    const parts = modifies
      .filter((outcome) => Object.hasOwn(outcome.value as object, name))
      .map((outcome) => ({ outcome, value: (outcome.value as JsonObject)[name] as JsonValue }));
    if (parts.length === 0) continue;
    const field = FOLDS[fold](parts, isObject(payload) ? payload[name] : undefined);
    if (field.survivors.length === 0) continue;
    value[name] = field.value;
    for (const survivor of field.survivors) survivors.add(survivor);
  }
  return { value: survivors.size === 0 ? undefined : value, survivors };
}

/** What one modify says of one field. */
interface Part {
  readonly outcome: Outcome;
  readonly value: JsonValue;
}

interface FoldedField {
  readonly value: JsonValue;
  readonly survivors: readonly Outcome[];
}

/** How the parts of a field, in order and at least one, become its new value. */
const FOLDS: {
  readonly [Fold in ModifyField["fold"]]: (parts: readonly Part[], original: JsonValue | undefined) => FoldedField;
} = {
  join: (parts) => ({
    value: parts.map(({ value }) => value as string).join("\n\n"),
    survivors: parts.map(({ outcome }) => outcome),
  }),
  replace: (parts) => {
    const { outcome, value } = parts.at(-1) as Part;
    return { value, survivors: [outcome] };
  },
  merge: (parts, original) => {
    const owners = new Map<string, Outcome>();
    const value: Record<string, JsonValue> = isObject(original) ? { ...original } : {};
    for (const part of parts) {
      for (const [key, item] of Object.entries(part.value as JsonObject)) {
        if (!isMergeable(key)) continue;
        value[key] = item;
        owners.set(key, part.outcome);
      }
    }
    return { value, survivors: [...owners.values()] };
  },
};

/** Keys that would reach a prototype never merge. */
export function isMergeable(key: string): boolean {
  return key !== "__proto__" && key !== "constructor" && key !== "prototype";
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

/** Whether it asked for something the point takes. */
function speaks(outcome: Outcome): boolean {
  return (
    outcome.failure === undefined && outcome.accepted && outcome.decision !== "continue" && outcome.decision !== "none"
  );
}

/** For an outcome that asked for nothing the point takes. */
function silent(outcome: Outcome): Applied {
  if (outcome.failure !== undefined) return FAILED_OPEN;
  return outcome.accepted ? NOTHING : NOT_ACCEPTED;
}
