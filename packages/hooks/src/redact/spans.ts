/** A stretch of a text, from `start` up to but without `end`, and the marker that is to stand there. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly marker: string;
  /** Of spans that meet, the lowest rank gives the marker. */
  readonly rank: number;
}

/** `[redacted]`, or `[redacted:<id>]`. A text that is one already is left as it is, so redacting twice changes nothing. */
export function markerFor(id?: string): string {
  return id === undefined ? "[redacted]" : `[redacted:${id}]`;
}

export function isMarker(text: string): boolean {
  return MARKER.test(text);
}

/** What was redacted before has nothing but punctuation behind its marker: redaction takes whole values. */
export function startsWithMarker(text: string): boolean {
  return MARKER_FIRST.test(text);
}

const MARKER = /^\[redacted(?::[a-z0-9_]{1,64})?\]$/;
const MARKER_FIRST = /^\[redacted(?::[a-z0-9_]{1,64})?\]/;

/** Puts the markers in. Spans that overlap become one: all that any of them covers goes. */
export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  const merged = mergeSpans(spans);
  let result = "";
  let position = 0;
  for (const span of merged) {
    result += text.slice(position, span.start) + span.marker;
    position = span.end;
  }
  return result + text.slice(position);
}

function mergeSpans(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const merged: SecretSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const named = span.rank < last.rank ? span : last;
    merged[merged.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      marker: named.marker,
      rank: named.rank,
    };
  }
  return merged;
}
