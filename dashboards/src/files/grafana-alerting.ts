import { stringify } from "yaml";

import { ALERTS } from "../alerts.ts";
import type { AlertRow } from "../alert.ts";
import { DATA_SOURCES } from "../data-sources.ts";
import { kebabCase } from "../kebab-case.ts";
import { pathOf } from "../places.ts";
import { HEADER } from "./header.ts";
import { runbook } from "./runbook.ts";

/** The same rules, managed by Grafana, for those who have no Alertmanager. */
export function grafanaAlerting(): string {
  const rules = Object.entries(ALERTS).map(([name, row]) => rule(name, row));
  const groups = [{ orgId: 1, name: "hookscope", folder: "Hookscope", interval: "30s", rules }];
  return HEADER + stringify({ apiVersion: 1, groups }, { lineWidth: 0 });
}

/** How far back the longest window of a rule reaches, in seconds. */
const DAY = 86_400;

function rule(name: string, row: AlertRow): object {
  return {
    uid: `hookscope-${kebabCase(name)}`,
    title: name,
    condition: "B",
    data: [
      {
        refId: "A",
        relativeTimeRange: { from: DAY, to: 0 },
        datasourceUid: DATA_SOURCES.prometheus.uid,
        model: {
          refId: "A",
          // A series is there where the rule holds, whatever its value.
          expr: `clamp(${row.expression.text}, 1, 1)`,
          instant: true,
          range: false,
        },
      },
      {
        refId: "B",
        relativeTimeRange: { from: 0, to: 0 },
        datasourceUid: "__expr__",
        model: {
          refId: "B",
          type: "threshold",
          expression: "A",
          conditions: [{ evaluator: { type: "gt", params: [0] } }],
        },
      },
    ],
    for: row.for ?? "0s",
    ...(row.keepFiringFor === undefined ? {} : { keepFiringFor: row.keepFiringFor }),
    noDataState: "OK",
    execErrState: row.absenceAlerts === true ? "Alerting" : "Error",
    labels: { severity: row.severity },
    annotations: {
      summary: row.summary,
      runbook_url: `\${HOOKSCOPE_RUNBOOKS}/${runbook(name)}`,
      dashboard_url: `{{ externalURL }}${pathOf(row.dashboard, row.variables).slice(1)}`,
    },
    isPaused: false,
  };
}
