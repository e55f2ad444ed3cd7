import { AssertionError } from "node:assert";
import { setImmediate } from "node:timers/promises";

import type { ConformanceCase } from "./kit.ts";

/**
 * The same case, but one that fails where a bus never answers, instead of waiting for ever. Time stands still in every
 * case, so whatever is to come comes within few turns of the event loop.
 */
export function failingWhenStalled({ rule, run }: ConformanceCase): ConformanceCase {
  return {
    rule,
    async run(createBus) {
      let over = false;
      const done = run(createBus).finally(() => {
        over = true;
      });
      await Promise.race([done, stalled(() => over)]);
    },
  };
}

async function stalled(isOver: () => boolean): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    await setImmediate();
    if (isOver()) return;
  }
  throw new AssertionError({ message: "The bus never answered." });
}

/** Far more than the longest case takes on a bus that keeps the rules. */
const MAX_TURNS = 2_000;
