/** A text with its escapes read, and where each place of it stands in the text as it was given. */
export interface DecodedText {
  readonly text: string;
  /** The place of a character in the given text; for the end of a stretch, that of the character behind it. */
  origin(index: number): number;
}

export type Decode = (text: string) => DecodedText | undefined;

/**
 * Reads the escapes of JSON and of program texts (`\n`, `\"`, `\u003d`, `\x3d`), of URLs (`%3D`) and of HTML (`&quot;`,
 * `&#61;`), one level of them; a terminal's colours become a blank. In a text that was put into another one, what stands
 * before a secret may be the last letter of an escape, and a name, its `=` and its value may be written in escapes.
 * A blank also parts what was joined: it goes before each of `beginnings` that follows a letter or a digit and has behind it
 * what no words are.
 *
 * @param beginnings matches how some secrets begin
 * @returns a function that gives undefined where there is nothing to read
 */
export function createDecoder(beginnings: RegExp): Decode {
  const joined = new RegExp(`(?<=[A-Za-z0-9])(?=(?:${beginnings.source})${NO_WORDS})`);
  const pattern = new RegExp(`${ESCAPE}|${joined.source}`, "g");
  return (text) => (MAY_HOLD_ESCAPES.test(text) || joined.test(text) ? decode(text, pattern) : undefined);
}

/** `disk_test_results_of_a_run` holds the beginning `sk_test_`; in a random text, a digit soon stands before a letter, or it is long. */
const NO_WORDS = "(?:[A-Za-z0-9_.-]{0,40}[0-9][A-Za-z]|[A-Za-z0-9]{30})";
const TERMINAL_ESCAPE = "\u001b";
const MAY_HOLD_ESCAPES = new RegExp(`[\\\\%&${TERMINAL_ESCAPE}]`);
/** Groups: a character after a backslash, four hexadecimal codes, a decimal code, an entity's name. */
const ESCAPE = [
  String.raw`\\(?:([abefnrtv0"'\`\\/])|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))`,
  "%([0-9A-Fa-f]{2})",
  "&(?:#x([0-9A-Fa-f]{1,5})|#([0-9]{1,6})|(quot|apos|amp|lt|gt|nbsp));",
  String.raw`${TERMINAL_ESCAPE}\[[0-9;]{0,40}m`,
].join("|");

function decode(text: string, pattern: RegExp): DecodedText | undefined {
  // Behind each escape: the place in the decoded text, then the place in the given one.
  const places: number[] = [];
  let decoded = "";
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    decoded += text.slice(position, match.index) + read(match);
    position = match.index + match[0].length;
    places.push(decoded.length, position);
  }
  if (places.length === 0) return undefined;
  return { text: decoded + text.slice(position), origin: (index) => originOf(places, index) };
}

function read([, character, ...codes]: RegExpMatchArray): string {
  if (character !== undefined) return CHARACTERS[character] ?? character;
  const [long, short, percent, hexadecimal, decimal, entity] = codes;
  const hex = long ?? short ?? percent ?? hexadecimal;
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
  return (entity === undefined ? undefined : ENTITIES[entity]) ?? " ";
}

/** `\e` is a terminal's escape, which may begin a colour. */
const CHARACTERS: { readonly [escaped: string]: string } = {
  a: " ",
  b: " ",
  e: TERMINAL_ESCAPE,
  f: " ",
  n: "\n",
  r: "\r",
  t: "\t",
  v: " ",
  0: " ",
};
const ENTITIES: { readonly [name: string]: string } = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

/** By the last escape that ends at or before the place. */
function originOf(places: readonly number[], index: number): number {
  let low = 0;
  let high = places.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle * 2] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? index : (places[low * 2 - 1] ?? 0) + index - (places[low * 2 - 2] ?? 0);
}
