import stringWidth from "string-width";

import { createAxis } from "./axis.ts";
import type { TimelineDocument, TimelineOptions } from "./document.ts";
import { duration } from "./format.ts";
import { createLayout, type Layout } from "./layout.ts";
import { createPaint, type Paint } from "./paint.ts";
import { labelWidth, renderRow, rowsOf } from "./rows.ts";
import { intervalOf, segmentsByNode } from "./segments.ts";
import { renderSummary } from "./summary.ts";
import { fit, fitRight, printable, shorten, wrap } from "./text.ts";
import { createForest, flatten, type Node } from "./tree.ts";

const DEFAULT_SLOW_MS = 250;

/**
 * A trace as lines of text for a terminal: a part for each turn (or other root), with its spans in order, indented as
 * in the trace, and a summary. No line is wider than `width`.
 */
export function renderTimeline(document: TimelineDocument, options: TimelineOptions): readonly string[] {
  const paint = createPaint(options.colour);
  if (document.spans.length === 0) return emptyLines(document, options.width, paint);
  const roots = createForest(document.spans, options.slowMs ?? DEFAULT_SLOW_MS);
  return roots.flatMap((root, index) => [
    ...(index === 0 ? [] : [""]),
    ...renderRoot(root, document.traceId, options.width, paint),
  ]);
}

function renderRoot(root: Node, traceId: string, width: number, paint: Paint): readonly string[] {
  const rows = rowsOf(root);
  const layout = createLayout(width, Math.max(...rows.map(labelWidth)));
  const segments = segmentsByNode([root]);
  const own = segments.get(root) ?? [];
  const waits = own.filter(({ category }) => category === "waiting").map(({ interval }) => interval);
  const axis = createAxis(intervalOf(root), waits);
  return [
    ...titleLines(root, traceId, layout.width, paint),
    "",
    scaleLine(root, layout, paint),
    ...rows.flatMap((row) => renderRow(row, { axis, segments, layout, paint })),
    "",
    ...renderSummary({ root, segments: own, shortenedAxis: axis.shortened, width: layout.width, paint }),
  ];
}

/** Who, how it ended, and the trace's id at the right or on a line of its own. */
function titleLines(root: Node, traceId: string, width: number, paint: Paint): readonly string[] {
  const turn = flatten(root).find(({ facts }) => facts.type === "turn") ?? root;
  const [what, name] = turn.facts.label;
  const title = turn.facts.type === "turn" ? `Turn of ${printable(name)}` : printable(`${what} ${name}`.trim());
  const outcome = turn.facts.word === "" ? "" : `: ${printable(turn.facts.word)}`;
  const time = ` in ${duration(root.span.endTime - root.span.startTime)}`;
  const left = shorten(`${title}${outcome}${time}`, width);
  const right = shorten(`trace ${printable(traceId)}`, width);
  const gap = width - stringWidth(left) - stringWidth(right);
  if (gap < 2) return [paint("strong", left), paint("quiet", right)];
  return [`${paint("strong", left)}${" ".repeat(gap)}${paint("quiet", right)}`];
}

/** Heads the columns; over the bars, the axis. */
function scaleLine(root: Node, layout: Layout, paint: Paint): string {
  const end = duration(root.span.endTime - root.span.startTime);
  const scale = `0${fitRight(end, layout.bar - 1)}`;
  const line = `  ${fit("span", layout.label)} ${scale} ${fitRight("time", layout.time)} outcome`;
  return paint("quiet", line);
}

function emptyLines({ traceId }: TimelineDocument, width: number, paint: Paint): readonly string[] {
  const lines = [
    `No spans were recorded${traceId === "" ? "" : ` for trace ${printable(traceId)}`}.`,
    "A turn is recorded when telemetry is started and its trace is sampled: OTEL_SDK_DISABLED, OTEL_TRACES_SAMPLER or a caller's sampled=0 turn it off.",
  ];
  return lines.flatMap((line, index) =>
    wrap(line, width, 4).map((part) => paint(index === 0 ? "strong" : "quiet", part)),
  );
}
