import type { SecretShape } from "./secret-shape.ts";
import { isMarker, markerFor, type SecretSpan } from "./spans.ts";

/**
 * Searches a text for every shape of the table; the earlier row has the lower rank. Most texts hold no hint at all: one
 * pattern over all hints says so before any row is looked at.
 * @returns a function of the text and the same text in lower case, for the hints of patterns that ignore case
 */
export function createShapeSearch(
  shapes: readonly SecretShape[],
): (text: string, lowerCase: string) => readonly SecretSpan[] {
  const rows = shapes.map(prepareShape);
  const hintsWhere = (ignoreCase: boolean): RegExp =>
    anyOf(rows.filter((row) => row.pattern.ignoreCase === ignoreCase).flatMap((row) => row.hints));
  const exactHints = hintsWhere(false);
  const lowerCaseHints = hintsWhere(true);

  return (text, lowerCase) => {
    const hasExact = exactHints.test(text);
    const hasLowerCase = lowerCaseHints.test(lowerCase);
    const spans: SecretSpan[] = [];
    for (const row of rows) {
      const isHinted = row.pattern.ignoreCase ? hasLowerCase : hasExact;
      if (isHinted) findShape(row, row.pattern.ignoreCase ? lowerCase : text, text, spans);
    }
    return spans;
  };
}

/** Matches a text that holds any of the strings; no text when there are none. */
export function anyOf(strings: readonly string[]): RegExp {
  const alternatives = [...new Set(strings)].map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(alternatives.length === 0 ? "(?!)" : alternatives.join("|"));
}

/**
 * How secrets begin that no word ends with: of the shapes that may follow anything but a letter, the hints that are a word
 * and a separator.
 */
export function distinctBeginnings(shapes: readonly SecretShape[]): readonly string[] {
  return shapes
    .filter(({ pattern }) => pattern.source.startsWith("(?<![A-Za-z])") && !pattern.ignoreCase)
    .flatMap(({ hints }) => hints)
    .filter((hint) => /^[A-Za-z][A-Za-z0-9_-]{1,16}[_.-]$/.test(hint));
}

interface PreparedShape {
  readonly pattern: RegExp;
  readonly hints: readonly string[];
  readonly group: number;
  readonly marker: string;
  readonly rank: number;
}

/** Global, and with indices where a group is asked for; a copy, so that nobody else's search moves in it. */
function prepareShape(shape: SecretShape, rank: number): PreparedShape {
  const added = shape.group === undefined ? "g" : "gd";
  return {
    pattern: new RegExp(shape.pattern.source, shape.pattern.flags.replaceAll(/[gd]/g, "") + added),
    hints: shape.pattern.ignoreCase ? shape.hints.map((hint) => hint.toLowerCase()) : shape.hints,
    group: shape.group ?? 0,
    marker: markerFor(shape.id),
    rank,
  };
}

function findShape(shape: PreparedShape, hinted: string, text: string, spans: SecretSpan[]): void {
  if (!shape.hints.some((hint) => hinted.includes(hint))) return;
  for (const match of text.matchAll(shape.pattern)) {
    const whole: readonly [number, number] = [match.index, match.index + match[0].length];
    const [start, end] = shape.group === 0 ? whole : (match.indices?.[shape.group] ?? whole);
    if (end > start && !isMarker(text.slice(start, end))) {
      spans.push({ start, end, marker: shape.marker, rank: shape.rank });
    }
  }
}
