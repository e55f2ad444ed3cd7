import {
  askUser,
  block,
  defineHook,
  type AskUserResult,
  type BlockResult,
  type Hook,
  type PreToolCallPayload,
} from "@hookscope/hooks";

import { compileRule, type ApprovalRule, type CompiledRule } from "./approval-rule.ts";
import { HarnessError } from "./errors.ts";
import { DANGEROUS_COMMANDS } from "./tools/dangerous-commands.ts";
import { LONGEST_JUDGED_COMMAND } from "./tools/shell-risk.ts";

export interface ApprovalPolicyOptions {
  /** The first that matches decides. */
  readonly rules: readonly ApprovalRule[];
  /** What happens to a call that no rule matches; `allow`. */
  readonly default?: ApprovalRule["action"];
  /** Arguments longer than this, in characters, count as ones that cannot be tested; 10,000. It bounds the time patterns take. */
  readonly maxTextLength?: number;
}

/** Blocks commands that ruin a machine, asks about those that cannot be taken back and about all of high risk. */
export const DEFAULT_APPROVAL_RULES: readonly ApprovalRule[] = [
  ...DANGEROUS_COMMANDS.map(({ name, pattern, severity }): ApprovalRule => ({
    name,
    args: { command: pattern },
    ...(severity === "ruin"
      ? { action: "block", reason: "a command of this kind is never run" }
      : { action: "ask", question: `The command looks like "${name}". Run it?` }),
  })),
  { name: "high risk", risk: ["high"], action: "ask" },
];

/**
 * The hook `approval_policy`: rules in order, the first that matches decides. When another hook changes the arguments, it
 * judges them again. Reasons and questions name the rule and the tool, never the arguments.
 *
 * Never throws on a call. An argument that cannot be tested (a list, an object, a text that is too long) does not match an
 * allowing rule, and matches one that asks or blocks.
 *
 * @throws HarnessError POLICY_RULE_INVALID, naming the rule
 */
export function createApprovalPolicy(options: ApprovalPolicyOptions): Hook {
  if (!Array.isArray(options?.rules)) throw new HarnessError("POLICY_RULE_INVALID", "`rules` must be a list.");
  const preset = options.default ?? "allow";
  if (!ACTIONS.has(preset)) {
    throw new HarnessError("POLICY_RULE_INVALID", `\`default\` must be "allow", "ask" or "block".`);
  }
  const maxTextLength = options.maxTextLength ?? LONGEST_JUDGED_COMMAND;
  if (!(maxTextLength >= 1)) {
    throw new HarnessError("POLICY_RULE_INVALID", "`maxTextLength` must be a number of characters from 1.");
  }
  const rules = options.rules.map((rule: ApprovalRule, index) => compileRule(rule, index, maxTextLength));
  const otherwise: Ruling = { label: "no rule matches", action: preset, text: undefined };
  return defineHook({
    name: "approval_policy",
    reinvoke: "if_modified",
    on: {
      pre_tool_call({ payload, turn }) {
        for (const rule of rules) {
          const match = rule.match(payload, turn);
          if (match.matches) return answer(rule, payload, match.untested);
        }
        return answer(otherwise, payload);
      },
    },
  });
}

const ACTIONS: ReadonlySet<string> = new Set(["allow", "ask", "block"]);

type Ruling = Pick<CompiledRule, "label" | "action" | "text">;

function answer(
  rule: Ruling,
  { tool_name: tool }: PreToolCallPayload,
  untested?: string,
): AskUserResult | BlockResult | undefined {
  const note = untested === undefined ? "" : `, its argument "${untested}" cannot be tested`;
  const where = `(approval policy, ${rule.label}, tool ${tool}${note})`;
  switch (rule.action) {
    case "allow":
      return undefined;
    case "ask":
      return askUser(`${rule.text ?? `Run ${tool}?`} ${where}`);
    case "block":
      return block(`${rule.text ?? `${tool} is not allowed`} ${where}`);
  }
}
