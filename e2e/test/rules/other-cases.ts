import type { AlertName } from "@hookscope/dashboards";
import { SERVICE, series, budget, BUDGET, dropped, queueCapacity, queueSize, requests, scraped, up } from "./inputs.ts";
import type { AlertCases } from "./situation.ts";

type OtherAlert = Extract<
  AlertName,
  "BudgetBurnFast" | "BudgetBurnSlow" | "SpansDropped" | "ModelErrors" | "CollectorQueueFilling" | "CollectorDown"
>;

/** Of budgets, models and what is between an agent and its backends. */
export const OTHER_CASES: Readonly<Record<OtherAlert, AlertCases>> = {
  BudgetBurnFast: {
    fires: [
      { when: "a budget loses half a percent a minute", input: { [budget]: "0+0.005x120" }, at: 100, alerts: [BUDGET] },
    ],
    quiet: [
      { when: "a budget for a day is used up evenly", input: { [budget]: "0+0.0007x600" }, at: 500, alerts: [] },
      {
        when: "it lost a third at once, half an hour ago, and nothing since",
        input: { [budget]: "0x30 0.33x60" },
        at: 65,
        alerts: [],
      },
      {
        when: "a new day has begun, and a little is spent",
        input: { [budget]: "0.9x60 0+0.001x30" },
        at: 80,
        alerts: [],
      },
      { when: "a process starts with what was spent before", input: { [budget]: "_x10 0.8x30" }, at: 20, alerts: [] },
    ],
  },
  BudgetBurnSlow: {
    fires: [{ when: "a budget loses a tenth an hour", input: { [budget]: "0+0.0017x600" }, at: 400, alerts: [BUDGET] }],
    quiet: [
      { when: "a budget for a day is used up evenly", input: { [budget]: "0+0.0007x600" }, at: 500, alerts: [] },
      {
        when: "it lost 60 % at once, two hours ago, and nothing since",
        input: { [budget]: "0x60 0.6x200" },
        at: 190,
        alerts: [],
      },
    ],
  },
  SpansDropped: {
    fires: [
      {
        when: "a span is lost",
        input: { [dropped]: "0x4 1x5" },
        at: 6,
        alerts: [{ ...SERVICE, instance: "one:9464", reason: "queue_full" }],
      },
      {
        when: "the first loss is seen as 12",
        input: { [dropped]: "_x4 12x5", [scraped]: "0x9" },
        at: 5,
        alerts: [{ ...SERVICE, instance: "one:9464", reason: "queue_full" }],
      },
    ],
    quiet: [{ when: "none is lost", input: { [dropped]: "0x20" }, at: 15, alerts: [] }],
  },
  ModelErrors: {
    fires: [
      {
        when: "half of the attempts fail for a quarter of an hour",
        input: { [requests("ok")]: "0+5x40", [requests("error")]: "0+5x40" },
        at: 30,
        alerts: [{ ...SERVICE, provider: "anthropic", model: "large" }],
      },
    ],
    quiet: [
      {
        when: "a tenth of the attempts fail",
        input: { [requests("ok")]: "0+9x40", [requests("error")]: "0+1x40" },
        at: 30,
        alerts: [],
      },
      {
        when: "two of the only three attempts failed",
        input: { [requests("ok")]: "0x20 1x20", [requests("error")]: "0x15 1x8 2x17" },
        at: 26,
        alerts: [],
      },
      {
        when: "there are no calls at all",
        input: { [requests("ok")]: "9x40", [requests("error")]: "1x40" },
        at: 30,
        alerts: [],
      },
    ],
  },
  CollectorQueueFilling: {
    fires: [
      {
        when: "it has been three quarters full for ten minutes",
        input: { [queueSize]: "0x4 75x15", [queueCapacity]: "100x20" },
        at: 15,
        alerts: [{ instance: "collector:8888", exporter: "otlp_grpc/jaeger" }],
      },
    ],
    quiet: [
      {
        when: "it was three quarters full for three minutes",
        input: { [queueSize]: "0x4 75x2 10x10", [queueCapacity]: "100x20" },
        at: 8,
        alerts: [],
      },
      { when: "a third of it waits", input: { [queueSize]: "33x20", [queueCapacity]: "100x20" }, at: 15, alerts: [] },
    ],
  },
  CollectorDown: {
    fires: [
      {
        when: "it has not been reached for two minutes",
        input: { [up]: "1x4 0x10" },
        at: 7,
        alerts: [{ job: "collector", instance: "collector:8888" }],
      },
      {
        when: "it is not scraped at all",
        input: { [series("up", { job: "hookscope", instance: "one:9464" })]: "1x10" },
        at: 5,
        alerts: [{ job: "collector" }],
      },
    ],
    quiet: [
      { when: "it is up", input: { [up]: "1x20" }, at: 15, alerts: [] },
      { when: "one scrape fails", input: { [up]: "1x4 0 1x10" }, at: 6, alerts: [] },
    ],
  },
};
