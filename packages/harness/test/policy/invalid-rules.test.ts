import { expect, test } from "vitest";

import { createApprovalPolicy, type ApprovalPolicyOptions } from "../../src/approval-policy.ts";
import { HarnessError } from "../../src/errors.ts";

const FINE = { action: "allow" };

test.for([
  { rule: null, problem: "rules[1] is no object." },
  { rule: {}, problem: 'rules[1] needs `action`: "allow", "ask" or "block".' },
  { rule: { action: "deny" }, problem: "rules[1] has an unusable `action`." },
  {
    rule: { tol: "shell", ...FINE },
    problem: 'rules[1] has an unknown field "tol"; there are name, tool, risk, args, tags, action, reason, question.',
  },
  {
    rule: { name: "no force", args: { command: "(" }, ...FINE },
    problem:
      'rules[1] "no force" has no regular expression at args.command: Invalid regular expression: /(/s: Unterminated group.',
  },
  { rule: { args: { command: "" }, ...FINE }, problem: "rules[1] has no regular expression at args.command." },
  { rule: { args: { command: /x/ }, ...FINE }, problem: "rules[1] has no regular expression at args.command." },
  { rule: { args: ["x"], ...FINE }, problem: "rules[1] has an unusable `args`." },
  { rule: { tool: "{a", ...FINE }, problem: 'rules[1] has no usable glob in `tool`: "{a".' },
  { rule: { tool: ["a", 1], ...FINE }, problem: "rules[1] has no usable glob in `tool`: 1." },
  { rule: { tool: [], ...FINE }, problem: "rules[1] has a `tool` that is neither a glob nor a list of them." },
  { rule: { risk: ["hihg"], ...FINE }, problem: "rules[1] has an unusable `risk`." },
  { rule: { risk: [], ...FINE }, problem: "rules[1] has an unusable `risk`." },
  { rule: { tags: { value: "x" }, ...FINE }, problem: "rules[1] has an unusable `tags`." },
  { rule: { reason: "x", ...FINE }, problem: "rules[1] has a `reason`, which goes with `block` only." },
  { rule: { question: "x", action: "block" }, problem: "rules[1] has a `question`, which goes with `ask` only." },
])("$problem", ({ rule, problem }) => {
  const options = { rules: [FINE, rule] } as unknown as ApprovalPolicyOptions;
  expect(() => createApprovalPolicy(options)).toThrow(new HarnessError("POLICY_RULE_INVALID", problem));
});

test.for([
  { options: {}, problem: "`rules` must be a list." },
  { options: undefined, problem: "`rules` must be a list." },
  { options: { rules: [], default: "deny" }, problem: '`default` must be "allow", "ask" or "block".' },
  { options: { rules: [], maxTextLength: 0 }, problem: "`maxTextLength` must be a number of characters from 1." },
])("$problem $options", ({ options, problem }) => {
  expect(() => createApprovalPolicy(options as unknown as ApprovalPolicyOptions)).toThrow(
    new HarnessError("POLICY_RULE_INVALID", problem),
  );
});
