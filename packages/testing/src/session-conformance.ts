import { BRANCH_RULES } from "./session-conformance/branch-rules.ts";
import type { SessionStoreCase } from "./session-conformance/kit.ts";
import { MOD_RULES } from "./session-conformance/mod-rules.ts";
import { RECORD_RULES } from "./session-conformance/record-rules.ts";
import { REPLACE_RULES } from "./session-conformance/replace-rules.ts";
import { STORE_RULES } from "./session-conformance/store-rules.ts";

export type { CreateSessionPlace, SessionPlace, SessionStoreCase } from "./session-conformance/kit.ts";

/** Every rule a session store must keep, each with its proof. */
export const SESSION_STORE_CONFORMANCE: readonly SessionStoreCase[] = [
  ...RECORD_RULES,
  ...REPLACE_RULES,
  ...BRANCH_RULES,
  ...MOD_RULES,
  ...STORE_RULES,
];
