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
  const ends = endsOf(text, columns);
  return stringWidth(ends) <= columns ? ends : cliTruncate(ends, columns, { position: "middle" });
}

/** Of a text far too long for them, what may be seen of it: nobody waits for the middle to be measured. */
function endsOf(text: string, columns: number): string {
  const most = columns * LONGEST_CHARACTER;
  return text.length <= 2 * most ? text : text.slice(0, most).toWellFormed() + text.slice(-most).toWellFormed();
}

/** Code units that one column may take: an emoji of several people and tones takes about so many. */
const LONGEST_CHARACTER = 32;

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
  const near = text.slice(0, (columns + 1) * LONGEST_CHARACTER);
  if (near.length === text.length && stringWidth(text) <= columns) return text;
  let end = 0;
  let lastSpace = 0;
  let width = 0;
  for (const { segment, index } of graphemes.segment(near)) {
    width += stringWidth(segment);
    if (segment === " ") lastSpace = index;
    if (width > columns) break;
    end = index + segment.length;
  }
  // A line that begins with one long word is cut inside it; one grapheme at least, so that wrapping ends.
  const least = graphemes.segment(near).containing(0)?.segment.length ?? 1;
  return text.slice(0, lastSpace > 0 ? lastSpace : Math.max(end, least));
}
