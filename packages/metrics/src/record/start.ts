import type { Clock } from "@hookscope/hooks";

import type { Families } from "../families.ts";

/** Gives the time at which counting began, and begins anew where the registry is reset. */
export function observeStart({ hookscope_start_timestamp_seconds: start }: Families, clock: Clock): void {
  let began = clock.now();
  let { resets } = start;
  start.onCollect(() => {
    if (resets !== start.resets) began = clock.now();
    ({ resets } = start);
    start.set({}, began / 1000);
  });
}
