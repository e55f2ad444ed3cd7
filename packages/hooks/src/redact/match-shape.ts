import type { SecretShape } from "./secret-shape.ts";
import { isMarker, markerFor, type SecretSpan } from "./spans.ts";

/** A row made ready to search with: global, and with indices where a group is asked for. */
export interface PreparedShape {
  readonly pattern: RegExp;
  readonly hints: readonly string[];
  readonly group: number;
  readonly marker: string;
}

export function prepareShape(shape: SecretShape): PreparedShape {
  const added = shape.group === undefined ? "g" : "gd";
  const flags = shape.pattern.flags.replaceAll(/[gd]/g, "") + added;
  return {
    pattern: new RegExp(shape.pattern.source, flags),
    hints: shape.pattern.ignoreCase ? shape.hints.map((hint) => hint.toLowerCase()) : shape.hints,
    group: shape.group ?? 0,
    marker: markerFor(shape.id),
  };
}

/** Every place of the shape in the text. `lowerCase` is the same text in lower case, for hints of patterns that ignore case. */
export function findShape(shape: PreparedShape, rank: number, text: string, lowerCase: string): readonly SecretSpan[] {
  const hinted = shape.pattern.ignoreCase ? lowerCase : text;
  if (!shape.hints.some((hint) => hinted.includes(hint))) return [];
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(shape.pattern)) {
    const [start, end] =
      shape.group === 0 ? [match.index, match.index + match[0].length] : (match.indices?.[shape.group] ?? [0, 0]);
    if (end > start && !isMarker(text.slice(start, end))) spans.push({ start, end, marker: shape.marker, rank });
  }
  return spans;
}
