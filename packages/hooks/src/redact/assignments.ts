import { startsWithMarker } from "./spans.ts";

/** Where the value of a secret's name stands in a text. */
export interface AssignedValue {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds `password=…`, `API_KEY: …`, `"token": "…"`, `config["secret"] = "…"`, `?access_token=…`, `--token …` and
 * `<password>…</password>`: the values only, quoted ones without their quotes.
 *
 * A plain word after a colon, followed by another word, is prose ("token: the smallest unit") and stays; so do
 * references (`${TOKEN}`) and the words that stand for a type or for nothing (`string`, `null`).
 */
export function findAssignedValues(text: string, isSecretKey: (key: string) => boolean): readonly AssignedValue[] {
  const values: AssignedValue[] = [];
  for (const pattern of [ASSIGNMENT, FLAG]) {
    const search = new RegExp(pattern, "g");
    for (let match = search.exec(text); match !== null; match = search.exec(text)) {
      const [, name = "", separator = "", quote = ""] = match;
      if (!isSecretKey(name)) continue;
      const start = search.lastIndex;
      const end = quote === "" ? endOfWord(text, start) : endOfQuoted(text, start, quote);
      if (end <= start) continue;
      if (!isNoSecret(text, start, end, separator === ":" && quote === "")) values.push({ start, end });
      search.lastIndex = end;
      if (quote.length !== 1 || separator === ":") continue;
      for (const part of joinedParts(text, end, quote)) {
        values.push(part);
        search.lastIndex = part.end;
      }
    }
  }
  for (const match of text.matchAll(ELEMENT)) {
    const [whole, name = "", value = ""] = match;
    const start = match.index + whole.indexOf(">") + 1;
    if (isSecretKey(name) && !startsWithMarker(value)) values.push({ start, end: start + value.length });
  }
  return values;
}

/** Groups: name, separator, opening quote. A quote may be escaped, since a text may be JSON inside JSON. No marker is a name. */
const ASSIGNMENT =
  /(?<![\w.-]|\[redacted:)([\w.-]{1,128})(?:\\{0,7}["'`])?\]?[ \t]{0,8}(?::[ \t]{0,8}str(?:ing)?[ \t]{0,8}(?==))?(=>|:=|={1,3}|:(?!:))[ \t]{0,8}(\\{0,7}["'`])?/;
const FLAG = /(?<![\w-])-{1,2}([A-Za-z][\w.-]{0,127})([ \t]{1,8})(?![-=:])(\\{0,7}["'`])?/;

const ELEMENT = /<([\w.-]{1,128})>([^<>]{1,1000})<\/\1>/g;

const DELIMITER = /[\s"'`&;|<>]/g;
const PLACEHOLDER =
  /^(?:\$\{[A-Za-z_][A-Za-z0-9_]{0,64}\}|string|number|boolean|bigint|any|unknown|never|object|str|int|bool|bytes|true|false|null|nil|none|undefined|optional|required|bearer|basic)$/i;

function isNoSecret(text: string, start: number, end: number, afterColon: boolean): boolean {
  if (end - start <= 70 && PLACEHOLDER.test(text.slice(start, end))) return true;
  if (startsWithMarker(text.slice(start, start + 80))) return true;
  if (!afterColon || !/^[ \t]{1,4}[A-Za-z]/.test(text.slice(end, end + 5))) return false;
  return end - start <= 40 && /^[A-Za-z]+$/.test(text.slice(start, end));
}

/** Up to what ends a word in a command line or a URL, without the punctuation and the closing brackets around it. */
function endOfWord(text: string, start: number): number {
  DELIMITER.lastIndex = start;
  let end = DELIMITER.exec(text)?.index ?? text.length;
  const word = text.slice(start, end);
  const trimmed = new Set(
    TRIMMED.filter(({ unless }) => unless === undefined || !word.includes(unless)).map(({ last }) => last),
  );
  while (end > start && trimmed.has(text.charAt(end - 1))) end -= 1;
  return end;
}

/** What a word does not end with; a closing bracket unless the word opened it. */
const TRIMMED: readonly { readonly last: string; readonly unless?: string }[] = [
  { last: "." },
  { last: "," },
  { last: ":" },
  { last: "\\" },
  { last: ")", unless: "(" },
  { last: "]", unless: "[" },
  { last: "}", unless: "{" },
];

/** Up to the same quote again, an escaped one excepted; a quote that nothing closes ends with its line. */
function endOfQuoted(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + quote.length)) {
    if (!isEscaped(text, start, at)) return at;
  }
  const lineEnd = text.slice(start).search(/[\r\n]/);
  return lineEnd === -1 ? text.length : start + lineEnd;
}

/**
 * What is joined to a quoted value: a bare word (`"abc"def`), or the next part of a value that holds its own quote,
 * doubled as in SQL or escaped as in a shell.
 */
function joinedParts(text: string, quoteAt: number, quote: string): readonly AssignedValue[] {
  const parts: AssignedValue[] = [];
  for (let at = quoteAt; text.startsWith(quote, at);) {
    const [opening] = JOINT.exec(text.slice(at, at + 4)) ?? [];
    if (opening === undefined) break;
    const start = at + opening.length;
    const end = opening.length === 1 ? endOfWord(text, start) : endOfQuoted(text, start, quote);
    if (end > start) parts.push({ start, end });
    if (opening.length === 1) break;
    at = end;
  }
  return parts;
}

/** The closing quote, and what opens the next part: nothing before a word, the same quote, or an escaped one and it. */
const JOINT = /^(?:(["'`])(?:\1|\\\1\1)|["'`](?=[A-Za-z0-9$_]))/;

/** For a plain quote an odd number of backslashes escapes it; a quote that is escaped itself ends at the very same run. */
function isEscaped(text: string, start: number, at: number): boolean {
  let backslashes = 0;
  while (at - backslashes > start && text.charAt(at - backslashes - 1) === "\\") backslashes += 1;
  return text.charAt(at) === "\\" ? backslashes > 0 : backslashes % 2 === 1;
}
