/* A process of its own: makes 2,000 spans a second for a while and tells its parent what memory that took. */
import { setTimeout } from "node:timers/promises";

import { startTelemetry } from "@hookscope/telemetry";
import { trace } from "@opentelemetry/api";

export interface MemoryReport {
  readonly peakHeapBytes: number;
  /** A peak that is no higher than this one has stopped growing. */
  readonly peakHeapBytesOfFirstHalf: number;
  readonly peakResidentBytes: number;
  readonly made: number;
  readonly exported: number;
  readonly dropped: number;
}

const SPANS_PER_SECOND = 2_000;
const PAUSE_MS = 10;
const SAMPLE_EVERY_MS = 1_000;

const [endpoint = "", seconds = "20"] = process.argv.slice(2);
// What is lost is counted, not logged once more by each of the two processes.
const telemetry = startTelemetry({ endpoint, exitHandling: false, logger: { warn: () => {} } });
const tracer = trace.getTracer("bench");

const start = performance.now();
const endsAfter = Number(seconds) * 1_000;
let made = 0;
let nextSample = SAMPLE_EVERY_MS;
let peakHeapBytes = 0;
let peakHeapBytesOfFirstHalf = 0;
let peakResidentBytes = 0;

for (let elapsed = 0; elapsed < endsAfter; elapsed = performance.now() - start) {
  for (const due = Math.floor((elapsed * SPANS_PER_SECOND) / 1_000); made < due; made += 1) makeSpan(made);
  if (elapsed >= nextSample) {
    nextSample += SAMPLE_EVERY_MS;
    sample();
    if (elapsed < endsAfter / 2) peakHeapBytesOfFirstHalf = peakHeapBytes;
  }
  await setTimeout(PAUSE_MS);
}
await telemetry.shutdown();
sample();
const dropped = Object.values(telemetry.dropped()).reduce((sum, count) => sum + count, 0);
const report: MemoryReport = {
  peakHeapBytes,
  peakHeapBytesOfFirstHalf,
  peakResidentBytes,
  made,
  exported: telemetry.exported(),
  dropped,
};
process.send?.(report);
process.disconnect();

function makeSpan(index: number): void {
  const attributes = {
    "agent_hook.point": "post_tool_call",
    "agent_hook.name": "audit",
    "agent_hook.execution": "ok",
    "agent_hook.decision": "continue",
    "agent_turn.id": `turn-${Math.floor(index / 50)}`,
  };
  tracer.startSpan("post_tool_call audit", { attributes }).end();
}

function sample(): void {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  peakHeapBytes = Math.max(peakHeapBytes, heapUsed);
  peakResidentBytes = Math.max(peakResidentBytes, rss);
}
