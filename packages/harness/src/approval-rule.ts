import type { JsonValue, PreToolCallPayload, Risk, TurnInfo } from "@hookscope/hooks";

import { HarnessError } from "./errors.ts";
import { compileGlob, type GlobTest } from "./glob.ts";
import { TOOL_ALIASES } from "./tool-aliases.ts";

/** A rule matches where all its conditions hold; one without conditions always does. */
export interface ApprovalRule {
  /** For reasons and questions. */
  readonly name?: string;
  /** A glob over tool names, or several; an alias counts as the tool's name. */
  readonly tool?: string | readonly string[];
  readonly risk?: readonly Risk[];
  /**
   * Regular expressions over arguments, all of which must match. For `ask` and `block` anywhere in the text; for `allow` the
   * whole of it, so that `git status` does not allow `git status; …`. Numbers and booleans are tested as texts. A missing
   * argument matches nothing.
   */
  readonly args?: { readonly [key: string]: string };
  /** A label of the turn; any value where none is given. */
  readonly tags?: { readonly key: string; readonly value?: string };
  readonly action: "allow" | "ask" | "block";
  /** With `block`: what the model is told. */
  readonly reason?: string;
  /** With `ask`: what the person is asked. */
  readonly question?: string;
}

export interface RuleMatch {
  readonly matches: boolean;
  /** The argument that could not be tested, where the rule matches for that. */
  readonly untested?: string;
}

export interface CompiledRule {
  /** `rule 2 "no force push"` */
  readonly label: string;
  readonly action: ApprovalRule["action"];
  readonly text: string | undefined;
  match(payload: PreToolCallPayload, turn: TurnInfo | undefined): RuleMatch;
}

/** @throws HarnessError POLICY_RULE_INVALID */
export function compileRule(rule: ApprovalRule, index: number, maxTextLength: number): CompiledRule {
  const fail: Fail = (problem) => {
    throw new HarnessError("POLICY_RULE_INVALID", `rules[${index}]${nameOf(rule)} ${problem}.`);
  };
  checkFields(rule, fail);
  const globs = compileToolGlobs(rule.tool, fail);
  const patterns = compilePatterns(rule, fail);
  const risks = rule.risk;
  return {
    label: `rule ${index + 1}${nameOf(rule)}`,
    action: rule.action,
    text: rule.action === "block" ? rule.reason : rule.question,
    match(payload, turn) {
      if (globs !== undefined && !namesOf(payload.tool_name).some((name) => globs.some((glob) => glob(name)))) {
        return NO_MATCH;
      }
      if (risks !== undefined && !risks.includes(payload.risk)) return NO_MATCH;
      if (rule.tags !== undefined && !hasTag(turn, rule.tags)) return NO_MATCH;
      return matchArguments(patterns, payload, rule.action, maxTextLength);
    },
  };
}

type Fail = (problem: string) => never;
const NO_MATCH: RuleMatch = { matches: false };

function matchArguments(
  patterns: readonly (readonly [key: string, pattern: RegExp])[],
  { args }: PreToolCallPayload,
  action: ApprovalRule["action"],
  maxTextLength: number,
): RuleMatch {
  let untested: string | undefined;
  for (const [key, pattern] of patterns) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (value === undefined || value === null) return NO_MATCH;
    const text = asText(value);
    if (text === undefined || text.length > maxTextLength) {
      if (action === "allow") return NO_MATCH;
      untested ??= key;
    } else if (!pattern.test(text)) {
      return NO_MATCH;
    }
  }
  return untested === undefined ? { matches: true } : { matches: true, untested };
}

function asText(value: JsonValue): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function hasTag(
  turn: TurnInfo | undefined,
  { key, value }: { readonly key: string; readonly value?: string },
): boolean {
  return turn?.tags.some((tag) => tag.key === key && (value === undefined || tag.value === value)) === true;
}

/** A tool under its own name and under every alias of it, whichever of them the call uses. */
function namesOf(tool: string): readonly string[] {
  const own = Object.hasOwn(TOOL_ALIASES, tool) ? (TOOL_ALIASES[tool] as string) : tool;
  const aliases = Object.keys(TOOL_ALIASES).filter((alias) => TOOL_ALIASES[alias] === own);
  return [tool, own, ...aliases];
}

function compileToolGlobs(tool: ApprovalRule["tool"], fail: Fail): readonly GlobTest[] | undefined {
  if (tool === undefined) return undefined;
  const globs = typeof tool === "string" ? [tool] : tool;
  if (!Array.isArray(globs) || globs.length === 0)
    return fail("has a `tool` that is neither a glob nor a list of them");
  return globs.map((glob: unknown) => {
    const test = typeof glob === "string" ? compileGlob(glob) : undefined;
    return test ?? fail(`has no usable glob in \`tool\`: ${JSON.stringify(glob)}`);
  });
}

function compilePatterns(rule: ApprovalRule, fail: Fail): readonly (readonly [key: string, pattern: RegExp])[] {
  return Object.entries(rule.args ?? {}).map(([key, source]: [string, unknown]) => {
    if (typeof source !== "string" || source === "") return fail(`has no regular expression at args.${key}`);
    try {
      const pattern = new RegExp(source, "s");
      return [key, rule.action === "allow" ? new RegExp(`^(?:${source})$`) : pattern];
    } catch (error) {
      return fail(`has no regular expression at args.${key}: ${(error as Error).message}`);
    }
  });
}

const FIELDS: { readonly [Field in keyof Required<ApprovalRule>]: (value: unknown) => boolean } = {
  name: isText,
  tool: (value) => isText(value) || Array.isArray(value),
  risk: (value) => Array.isArray(value) && value.length > 0 && value.every((risk) => RISKS.has(risk)),
  args: isObject,
  tags: (value) => isObject(value) && isText(value["key"]) && (value["value"] === undefined || isText(value["value"])),
  action: (value) => value === "allow" || value === "ask" || value === "block",
  reason: isText,
  question: isText,
};
const RISKS: ReadonlySet<unknown> = new Set<Risk>(["low", "medium", "high", "unknown"]);

/** A field that is misspelt would be a condition that is not there: the rule would match more than was meant. */
function checkFields(rule: ApprovalRule, fail: Fail): void {
  if (!isObject(rule)) return fail("is no object");
  for (const [field, value] of Object.entries(rule)) {
    if (!Object.hasOwn(FIELDS, field))
      return fail(`has an unknown field "${field}"; there are ${Object.keys(FIELDS).join(", ")}`);
    if (value !== undefined && !FIELDS[field as keyof ApprovalRule](value)) return fail(`has an unusable \`${field}\``);
  }
  if (rule.action === undefined) return fail('needs `action`: "allow", "ask" or "block"');
  if (rule.reason !== undefined && rule.action !== "block") return fail("has a `reason`, which goes with `block` only");
  if (rule.question !== undefined && rule.action !== "ask") return fail("has a `question`, which goes with `ask` only");
}

function nameOf(rule: ApprovalRule): string {
  return typeof rule?.name === "string" ? ` "${rule.name}"` : "";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
