import { stringify } from "yaml";

import { ALERTS } from "../alerts.ts";
import type { AlertRow } from "../alert.ts";
import { pathOf } from "../places.ts";
import { HEADER } from "./header.ts";
import { runbook } from "./runbook.ts";

/** The rules, for Prometheus. */
export function prometheusRules(): string {
  const rules = Object.entries(ALERTS).map(([name, row]) => rule(name, row));
  return HEADER + stringify({ groups: [{ name: "hookscope", rules }] }, { lineWidth: 0 });
}

function rule(name: string, row: AlertRow): object {
  return {
    alert: name,
    expr: row.expression.text,
    ...(row.for === undefined ? {} : { for: row.for }),
    ...(row.keepFiringFor === undefined ? {} : { keep_firing_for: row.keepFiringFor }),
    labels: { severity: row.severity },
    annotations: {
      summary: row.summary,
      runbook_url: `{{ .ExternalLabels.runbooks }}/${runbook(name)}`,
      dashboard_url: `{{ .ExternalLabels.grafana }}${pathOf(row.dashboard, row.variables)}`,
    },
  };
}
