import { redactSafely } from "@hookscope/hooks";
import { cut } from "@hookscope/hooks/internal";

import type { TurnScope } from "./scope.ts";

const MAX_LENGTH = 256;

/** A reason or question as a span carries it: redacted, then cut. */
export function shortReason(scope: TurnScope, reason: string): string {
  return cut(String(redactSafely(scope.setup.core.redactor, reason)), MAX_LENGTH);
}
