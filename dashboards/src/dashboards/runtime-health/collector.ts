import type { RowSpec } from "../../dashboard.ts";
import { timeSeries } from "../../panels.ts";
import { divide, min, orZero, rate, series, sum } from "../../promql.ts";

export const collector: RowSpec = {
  title: "Collector and what is scraped",
  panels: [
    timeSeries({
      title: "Up",
      shows: "1 where the last scrape of each program of that kind worked.",
      whenBad: "0 means that one of them is down or not reached: see its log.",
      next: ["timeline"],
      width: 6,
      unit: "short",
      queries: [{ expression: min(series("up"), ["job"]), legend: "{{job}}" }],
    }),
    timeSeries({
      title: "Spans in and out",
      shows: "Spans per second that the Collector takes and passes on.",
      whenBad: "Less out than in means that it keeps them: see its queue.",
      next: ["timeline"],
      width: 6,
      unit: "ops",
      queries: [
        { expression: sum(rate("otelcol_receiver_accepted_spans_total"), []), legend: "in" },
        { expression: sum(rate("otelcol_exporter_sent_spans_total"), []), legend: "out" },
      ],
    }),
    timeSeries({
      title: "Exporter errors",
      shows: "Spans per second that the Collector refused, could not pass on, or had no room for in its queue.",
      whenBad:
        "Refused: it is short of memory, and senders try again. Failed: the answer says why, in its log. Lost: its queue is full, see whether Jaeger is up.",
      next: ["timeline"],
      width: 6,
      unit: "ops",
      queries: [
        { expression: orZero(sum(rate("otelcol_receiver_refused_spans_total"), [])), legend: "refused" },
        { expression: orZero(sum(rate("otelcol_exporter_send_failed_spans_total"), [])), legend: "failed" },
        { expression: orZero(sum(rate("otelcol_exporter_enqueue_failed_spans_total"), [])), legend: "lost" },
      ],
    }),
    timeSeries({
      title: "Collector's queue",
      shows: "How full the queue of each exporter of each Collector is.",
      whenBad: "At 100 % spans are lost: see whether Jaeger is up and fast enough.",
      next: ["timeline"],
      width: 6,
      unit: "percentunit",
      queries: [
        {
          expression: divide(
            sum(series("otelcol_exporter_queue_size"), ["instance", "exporter"]),
            sum(series("otelcol_exporter_queue_capacity"), ["instance", "exporter"]),
          ),
          legend: "{{exporter}} of {{instance}}",
        },
      ],
    }),
  ],
};
