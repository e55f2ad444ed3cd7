import { expect, test } from "vitest";

import { rig } from "./support.ts";

const NAMES = ["hookscope_spans_dropped_total", "hookscope_export_queue_size"];

test("spans dropped and waiting are read at each scrape, and several exporters add up", async () => {
  const { metrics, lines } = rig();
  const one = { dropped: { queue_full: 0 }, queue: 3 };
  const two = { dropped: { queue_full: 2, export_failed: 1 }, queue: 4 };
  const end = metrics.observeExport({ dropped: () => one.dropped, queueSize: () => one.queue });
  metrics.observeExport({ dropped: () => two.dropped, queueSize: () => two.queue });
  expect(await lines(...NAMES)).toEqual([
    'hookscope_spans_dropped_total{reason="queue_full"} 2',
    'hookscope_spans_dropped_total{reason="export_failed"} 1',
    "hookscope_export_queue_size 7",
  ]);
  one.dropped.queue_full = 5;
  end();
  two.queue = 0;
  expect(await lines(...NAMES)).toEqual([
    'hookscope_spans_dropped_total{reason="queue_full"} 7',
    'hookscope_spans_dropped_total{reason="export_failed"} 1',
    "hookscope_export_queue_size 0",
  ]);
});

test("a mod that could not be loaded is counted", async () => {
  const { metrics, lines } = rig();
  metrics.modLoadFailed("memory");
  expect(await lines("agent_mod_load_failures_total")).toEqual(['agent_mod_load_failures_total{mod="memory"} 1']);
});
