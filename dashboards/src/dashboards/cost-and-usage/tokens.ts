import type { RowSpec } from "../../dashboard.ts";
import { timeSeries } from "../../panels.ts";
import { divide, rate, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const used = "agent_tokens_total";
const all = rate(used, { where: chosen(used) });
const inputs = rate(used, { where: { ...chosen(used), type: ["input", "cache_read", "cache_write"] } });
const cached = rate(used, { where: { ...chosen(used), type: "cache_read" } });

export const tokens: RowSpec = {
  title: "Tokens",
  panels: [
    timeSeries({
      title: "Tokens by type",
      shows: "Tokens per second; each token is under one type.",
      whenBad: "Much reasoning or output beside little input: ask for shorter answers, or a lower effort.",
      next: ["timeline"],
      width: 8,
      unit: "ops",
      stacked: true,
      queries: [{ expression: sum(all, ["type"]), legend: "{{type}}" }],
    }),
    timeSeries({
      title: "Tokens by model",
      shows: "Tokens per second of each model.",
      whenBad: "See which agent uses it.",
      next: ["timeline"],
      width: 8,
      unit: "ops",
      stacked: true,
      queries: [{ expression: sum(all, ["provider", "model"]), legend: "{{provider}} {{model}}" }],
    }),
    timeSeries({
      title: "Share of input from the cache",
      shows: "Input tokens read from the prompt cache against all input tokens.",
      whenBad: "A low share in long conversations means that something early in the prompt changes from call to call.",
      next: ["timeline"],
      width: 8,
      unit: "percentunit",
      queries: [{ expression: divide(sum(cached, ["model"]), sum(inputs, ["model"])), legend: "{{model}}" }],
    }),
  ],
};
