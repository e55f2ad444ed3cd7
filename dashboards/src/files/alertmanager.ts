import { stringify } from "yaml";

import type { AlertName } from "../alert.ts";
import { HEADER } from "./header.ts";

/** An alert that says the same as another one about the same call, and is left out while that one fires. */
const SAID_ALREADY: readonly {
  readonly alert: AlertName;
  readonly by: AlertName;
  readonly equal: readonly string[];
}[] = [
  { alert: "ToolCallBlockedInSpans", by: "ToolCallBlocked", equal: ["service", "tool", "hook", "cause"] },
  { alert: "ToolCallBlocked", by: "PolicyFailingClosed", equal: ["service", "tool", "hook", "cause"] },
  { alert: "BudgetBurnSlow", by: "BudgetBurnFast", equal: ["service", "budget"] },
];

/** Alerts are kept and shown; whoever is to be told is added as a receiver. */
export function alertmanagerConfig(): string {
  return (
    HEADER +
    stringify(
      {
        route: {
          receiver: "kept",
          group_by: ["alertname", "service", "hook"],
          group_wait: "10s",
          group_interval: "1m",
          repeat_interval: "4h",
        },
        receivers: [{ name: "kept" }],
        inhibit_rules: SAID_ALREADY.map(({ alert, by, equal }) => ({
          source_matchers: [`alertname = ${by}`],
          target_matchers: [`alertname = ${alert}`],
          equal,
        })),
      },
      { lineWidth: 0 },
    )
  );
}
