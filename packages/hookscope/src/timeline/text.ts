import { stripVTControlCharacters } from "node:util";

import cliTruncate from "cli-truncate";
import stringWidth from "string-width";

/**
 * Text from a span, safe to print on one line: escape sequences are taken out, other control characters are shown as
 * their pictures, and characters that reorder a line are replaced.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text.toWellFormed())
    .replaceAll(/\r\n|[\n\r\t\u2028\u2029]/g, " ")
    .replaceAll(CONTROL, (character) => picture(character.charCodeAt(0)))
    .replaceAll(REORDERING, "\uFFFD");
}

/** Cut in the middle, with an ellipsis, to at most `columns`. */
export function shorten(text: string, columns: number): string {
  if (columns <= 0) return "";
  return stringWidth(text) <= columns ? text : cliTruncate(text, columns, { position: "middle" });
}

/** Exactly `columns` wide: shortened, or filled with spaces at the end. */
export function fit(text: string, columns: number): string {
  const short = shorten(text, columns);
  return short + " ".repeat(Math.max(0, columns - stringWidth(short)));
}

/** Exactly `columns` wide, with the text at the right. */
export function fitRight(text: string, columns: number): string {
  const short = shorten(text, columns);
  return " ".repeat(Math.max(0, columns - stringWidth(short))) + short;
}

/** Broken at spaces into at most `limit` lines of at most `columns`; what is left over ends in an ellipsis. */
export function wrap(text: string, columns: number, limit: number): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < limit - 1) {
    const line = firstLine(rest, columns);
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  if (rest !== "") lines.push(stringWidth(rest) <= columns ? rest : cliTruncate(rest, columns));
  return lines;
}

const CONTROL = /\p{Cc}/gu;
/** Direction marks, overrides and isolates. */
const REORDERING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

function picture(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}

const graphemes = new Intl.Segmenter();

function firstLine(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let end = 0;
  let lastSpace = 0;
  let width = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (segment === " ") lastSpace = index;
    if (width > columns) break;
    end = index + segment.length;
  }
  // A line that begins with one long word is cut inside it; one grapheme at least, so that wrapping ends.
  const least = graphemes.segment(text).containing(0)?.segment.length ?? 1;
  return text.slice(0, lastSpace > 0 ? lastSpace : Math.max(end, least));
}
