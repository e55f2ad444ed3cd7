import type { DashboardSpec } from "../dashboard.ts";
import { blockedToolCalls } from "./blocked-tool-calls/index.ts";
import { costAndUsage } from "./cost-and-usage/index.ts";
import { hookTimeline } from "./hook-timeline/index.ts";
import { hooks } from "./hooks/index.ts";
import { runtimeHealth } from "./runtime-health/index.ts";

export const DASHBOARDS: readonly DashboardSpec[] = [
  hookTimeline,
  hooks,
  blockedToolCalls,
  costAndUsage,
  runtimeHealth,
];
