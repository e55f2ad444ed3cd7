import { METRICS, METRICS_ERRORS, type LabelRow, type MetricRow } from "@hookscope/metrics";

import { table } from "./table.ts";

const INTRODUCTION = `<!-- Generated from packages/metrics/src/definitions.ts by \`npm run docs:generate\`. Do not edit. -->

# Metrics

\`createMetrics()\` of \`@hookscope/metrics\` gives observer hooks, watches a bus and serves \`/metrics\` on
127.0.0.1:9464:

\`\`\`ts
const metrics = createMetrics();
const bus = createHookBus({ hooks: metrics.hooks });
metrics.observe(bus);
metrics.registerTools(["shell", "read_file"], { agent: "reviewer" });
await metrics.serve();
\`\`\`

A scraper that accepts OpenMetrics gets it, with exemplars; another one gets plain text. A label is never a session, turn,
trace, path, command or reason. A metric has at most \`maxSeries\` (1,000) series; in what is recorded beyond, labels that
are not known beforehand become \`__other__\`, and \`hookscope_series_overflow_total\` counts it. Label values are cut at 120
characters. Known series start at 0, so that a first block is an increase that an alert sees.

\`startOtlpMetrics()\` of \`@hookscope/metrics/otlp\` exports the same metrics over OTLP, and those of the GenAI convention
(\`gen_ai.client.*\`) beside them. Scrape a process or let it export, not both into one store: each metric would be there
twice. A command too short to be scraped ends with \`metrics.push({ gateway })\` or with a last export.`;

const CLOSING = `## Cost

Prices come with the package, from \`@pydantic/genai-prices\`; nothing is fetched. \`prices\` goes before them:

\`\`\`ts
createMetrics({ prices: { "my-model": { input_mtok: 0.5, output_mtok: 2, cache_read_mtok: 0.05 } } });
\`\`\`

in US dollars per million tokens, by \`model\` or \`provider/model\`. Cached, cache-writing and reasoning tokens are priced
apart. A model without a price is counted in \`agent_unpriced_tokens_total\` and said once.

\`createLedger({ path })\` keeps cost and tokens per turn in a SQLite file across restarts; give it as \`ledger\`, and read it
with \`ledger.report({ by: "model" })\`. \`budgets\` adds a policy hook: when a budget is spent, messages are blocked and tool
calls are asked about, or what \`onMessage\` and \`onToolCall\` say.

## Several processes

In a cluster each worker calls \`metrics.joinCluster()\`, and the primary process \`serveCluster()\`, which adds them up, in
plain text.`;

const AGGREGATED: Readonly<Record<NonNullable<MetricRow["aggregator"]>, string>> = {
  sum: "Of several processes the sum counts.",
  max: "Of several processes the max counts.",
  omit: "A cluster of processes does not give it.",
};

/** docs/metrics.md: an overview of all metrics, then a section for each, then cost, clusters and errors. */
export function metricsDocument(): string {
  const rows: readonly (readonly [string, MetricRow])[] = Object.entries(METRICS);
  const overview = table(
    ["metric", "type", "labels", "what"],
    rows.map(([name, row]) => [`[${name}](#${name})`, row.type, Object.keys(row.labels).join(", "), row.help]),
  );
  const sections = rows.map(([name, row]) => section(name, row));
  return `${[INTRODUCTION, overview, ...sections, CLOSING, errors()].join("\n\n")}\n`;
}

function section(name: string, row: MetricRow): string {
  const facts = [
    `${capitalized(row.type)}, unit \`${row.unit}\`. Recorded from: ${row.from}.`,
    ...(row.buckets === undefined ? [] : [`Buckets: ${row.buckets.join(", ")}.`]),
    ...(row.exemplars === undefined ? [] : [`Exemplars: ${row.exemplars.of}${slowness(row.exemplars.slowSeconds)}.`]),
    ...(row.aggregator === undefined ? [] : [AGGREGATED[row.aggregator]]),
  ];
  const labels = Object.entries(row.labels as Readonly<Record<string, LabelRow>>).map(
    ([label, { description, values }]) => [
      `\`${label}\``,
      description,
      label === "point" ? "see hook-points.md" : (values ?? []).join(", "),
    ],
  );
  return [
    `## ${name}`,
    `${row.help} ${row.advice}`,
    facts.join(" "),
    ...(labels.length === 0 ? [] : [table(["label", "what", "known values"], labels)]),
  ].join("\n\n");
}

function errors(): string {
  const rows = Object.entries(METRICS_ERRORS).map(([code, text]) => [`\`${code}\``, text]);
  return ["## Errors", table(["code", "what it means and what to do"], rows)].join("\n\n");
}

const slowness = (seconds: number | undefined): string => (seconds === undefined ? "" : ` (from ${seconds} s)`);

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
