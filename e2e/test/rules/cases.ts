import type { AlertName } from "@hookscope/dashboards";
import { HOOK_CASES } from "./hook-cases.ts";
import { OTHER_CASES } from "./other-cases.ts";
import type { AlertCases } from "./situation.ts";
import { TOOL_CALL_CASES } from "./tool-call-cases.ts";

/** Each alert: when it fires, and when it must not. */
export const CASES: Readonly<Record<AlertName, AlertCases>> = { ...TOOL_CALL_CASES, ...HOOK_CASES, ...OTHER_CASES };
