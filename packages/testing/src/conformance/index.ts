import { CONCURRENCY_RULES } from "./concurrency-rules.ts";
import { EVENT_RULES } from "./event-rules.ts";
import { FAILURE_RULES } from "./failure-rules.ts";
import { FOLD_RULES } from "./fold-rules.ts";
import type { ConformanceCase } from "./kit.ts";
import { REGISTRATION_RULES } from "./registration-rules.ts";
import { RESULT_RULES } from "./result-rules.ts";
import { failingWhenStalled } from "./stalled.ts";
import { STREAM_RULES } from "./stream-rules.ts";

export type { ConformanceCase, CreateHookBus } from "./kit.ts";

/**
 * The rules of the bus, most of them for each of the 22 points. A case rejects with an AssertionError, also where the bus
 * never answers. Needs no test framework: run each case with what makes
 * your bus, in the framework you have.
 *
 *     for (const { rule, run } of HOOK_BUS_CONFORMANCE) test(rule, () => run(createHookBus));
 */
export const HOOK_BUS_CONFORMANCE: readonly ConformanceCase[] = [
  ...EVENT_RULES,
  ...RESULT_RULES,
  ...FAILURE_RULES,
  ...FOLD_RULES,
  ...CONCURRENCY_RULES,
  ...STREAM_RULES,
  ...REGISTRATION_RULES,
].map(failingWhenStalled);
