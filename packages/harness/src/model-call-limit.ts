import { ModelError } from "./model.ts";
import type { TurnScope } from "./scope.ts";

/** How long one attempt of a model call may take. */
export interface AttemptLimit {
  /** The turn's signal, or the end of the time. */
  readonly signal: AbortSignal;
  /** What went wrong, where the time was over before the turn was. */
  failure(): ModelError | undefined;
  release(): void;
}

/** @param limitMs undefined: as long as the turn goes on */
export function startLimit({ signal, setup }: TurnScope, limitMs: number | undefined): AttemptLimit {
  if (limitMs === undefined) return { signal, failure: () => undefined, release: () => undefined };
  const controller = new AbortController();
  const timer = setup.clock.setTimer(() => controller.abort(), limitMs);
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    failure() {
      if (!controller.signal.aborted || signal.aborted) return undefined;
      const details = { statusCode: null, retryable: false, type: "timeout" };
      return new ModelError(`the model did not answer within ${limitMs} ms`, details);
    },
    release: () => timer.cancel(),
  };
}
