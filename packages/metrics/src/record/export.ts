import type { Families } from "../families.ts";

/** What exports spans, as far as metrics look at it. */
export interface ExportSource {
  /** Spans lost so far, by reason. */
  dropped(): Readonly<Record<string, number>>;
  /** Spans waiting now. */
  queueSize(): number;
}

/** The sources of each `Families`, so that several add up. */
const SOURCES = new WeakMap<Families, Map<ExportSource, Map<string, number>>>();

/** Reads a source at each scrape. Gives back its own end, which reads it once more. */
export function observeExport(families: Families, source: ExportSource): () => void {
  let sources = SOURCES.get(families);
  if (sources === undefined) SOURCES.set(families, (sources = startReading(families)));
  sources.set(source, new Map());
  addDropped(families, sources);
  return () => {
    addDropped(families, sources);
    sources.delete(source);
  };
}

function startReading(families: Families): Map<ExportSource, Map<string, number>> {
  const sources = new Map<ExportSource, Map<string, number>>();
  families.hookscope_spans_dropped_total.onCollect(() => addDropped(families, sources));
  families.hookscope_export_queue_size.onCollect(() => {
    const sizes = [...sources.keys()].map((source) => source.queueSize());
    families.hookscope_export_queue_size.set(
      {},
      sizes.reduce((sum, size) => sum + size, 0),
    );
  });
  return sources;
}

function addDropped(families: Families, sources: Map<ExportSource, Map<string, number>>): void {
  for (const [source, seen] of sources) {
    for (const [reason, total] of Object.entries(source.dropped())) {
      families.hookscope_spans_dropped_total.touch({ reason });
      const more = total - (seen.get(reason) ?? 0);
      if (more > 0) families.hookscope_spans_dropped_total.add({ reason }, more);
      seen.set(reason, Math.max(total, seen.get(reason) ?? 0));
    }
  }
}
