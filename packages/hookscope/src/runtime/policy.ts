import { createApprovalPolicy, DEFAULT_APPROVAL_RULES, type ApprovalRule } from "@hookscope/harness";
import type { Hook } from "@hookscope/hooks";

import type { PolicySettings } from "../config/settings.ts";
import { withoutUndefined } from "../config/without-undefined.ts";

/** The hook `approval_policy`: the file's rules, then the built-in ones. @throws HarnessError POLICY_RULE_INVALID */
export function createConfiguredPolicy({ rules = [], default_rules = true, ...policy }: PolicySettings = {}): Hook {
  return createApprovalPolicy({
    rules: [
      ...rules.map((rule) => withoutUndefined(rule) as ApprovalRule),
      ...(default_rules ? DEFAULT_APPROVAL_RULES : []),
    ],
    ...(policy.default === undefined ? {} : { default: policy.default }),
  });
}
