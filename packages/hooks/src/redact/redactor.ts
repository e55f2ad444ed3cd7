import { findAssignedValues } from "./assignments.ts";
import { SECRET_KEY_NAMES, createKeyNameTest, keyNameHints } from "./key-names.ts";
import { createDecoder, type Decode, type DecodedText } from "./decode-escapes.ts";
import { redactJson } from "./redact-json.ts";
import { anyOf, createShapeSearch, distinctBeginnings } from "./match-shape.ts";
import { SECRET_SHAPES, type SecretShape } from "./shapes.ts";
import { markerFor, replaceSpans, type SecretSpan } from "./spans.ts";
import { checkKeyNames, checkShapes, toSecretKeyName } from "./validate.ts";

/**
 * Takes secrets out. What it leaves in their place is a marker: `[redacted:github_token]` for a known shape,
 * `[redacted]` for the value of a secret's name. Redacting what was redacted changes nothing.
 *
 * Redact before cutting: a secret that a length limit cut in two has no shape any more.
 */
export interface Redactor {
  /**
   * Known secret shapes, and the values of secrets' names (`password=…`, `--token …`), are replaced, also where the text was
   * escaped for JSON, a URL or HTML: once, or within one another.
   */
  text(text: string): string;
  /**
   * A copy of a JSON-like value without its secrets: values under secrets' names replaced whole (but for booleans, null
   * and empty strings, which tell nothing), secrets inside every string and key replaced. `{ name, value }` and
   * `{ key, value }` count as a name and its value, `["--token", "…"]` as a flag and its value. Never mutates. Returns the very
   * same reference where nothing was found, at every level.
   *
   * The value is free of cycles; what has a `toJSON` counts as what that returns.
   */
  value<T>(value: T): T;
}

export interface RedactorOptions {
  /** Further names whose values are secrets, also as the ending of longer ones. `customer_pin` covers `newCustomerPin`. */
  readonly keyNames?: readonly string[];
  /** Further shapes. Their patterns run on every text that has one of their hints, so they must take linear time. */
  readonly shapes?: readonly SecretShape[];
  /** Whole names that are never secret, whatever the tables say. Shapes inside their values are still replaced. */
  readonly allowKeys?: readonly string[];
}

/** @throws {HookError} HOOK_REDACTOR_INVALID when a row of the options cannot be used. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const keyNames = [...SECRET_KEY_NAMES, ...checkKeyNames(options.keyNames, "keyNames").map(toSecretKeyName)];
  const ownShapes = checkShapes(
    options.shapes,
    SECRET_SHAPES.map((shape) => shape.id),
  );
  const shapes = [...ownShapes, ...SECRET_SHAPES];
  const findShapes = createShapeSearch(shapes);
  const decode = createDecoder(anyOf(distinctBeginnings(shapes)));
  const isSecretKey = remember(createKeyNameTest(keyNames, checkKeyNames(options.allowKeys, "allowKeys")));
  const keyHints = anyOf(keyNameHints(keyNames));

  const findSpans = (plain: string): readonly SecretSpan[] => {
    const lowerCase = plain.toLowerCase();
    const spans = findShapes(plain, lowerCase);
    if (!keyHints.test(lowerCase)) return spans;
    const assigned = { marker: markerFor(), rank: shapes.length };
    return [...spans, ...findAssignedValues(plain, isSecretKey).map((value) => ({ ...value, ...assigned }))];
  };
  const searchOnce = (original: string): string => {
    const spans = [...findSpans(original)];
    let plain: DecodedText | undefined = { text: original, origin: (index) => index };
    for (let level = 0; level < MOST_LEVELS; level += 1) {
      plain = decodeFurther(plain, decode);
      if (plain === undefined) break;
      for (const { start, end, ...rest } of findSpans(plain.text))
        spans.push({ start: plain.origin(start), end: plain.origin(end), ...rest });
    }
    return spans.length === 0 ? original : replaceSpans(original, spans);
  };
  const search = (original: string): string => {
    let before = original;
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const after = searchOnce(before);
      if (after === before) break;
      before = after;
    }
    return before;
  };
  const clean = new Set<string>();
  const text = (original: string): string => {
    if (original.length < SHORTEST_SECRET_TEXT || clean.has(original)) return original;
    const redacted = search(original);
    if (redacted === original && original.length <= LONGEST_REMEMBERED_TEXT) {
      if (clean.size >= REMEMBERED_TEXTS) clean.clear();
      clean.add(original);
    }
    return redacted;
  };
  return { text, value: (value) => redactJson(value, { text, isSecretKey }) };
}

/** The escapes of a text that was decoded already, down to the places of the original. */
function decodeFurther(outer: DecodedText, decode: Decode): DecodedText | undefined {
  const inner = decode(outer.text);
  return inner === undefined ? undefined : { text: inner.text, origin: (index) => outer.origin(inner.origin(index)) };
}

/** JSON inside JSON inside JSON, and one more. */
const MOST_LEVELS = 4;
/** Where secrets touch one another, taking one out can bring another to light; a text without any takes one pass. */
const MOST_PASSES = 10;
/** `auth=x`: nothing shorter holds a name and a value, or a shape. */
const SHORTEST_SECRET_TEXT = 5;
const REMEMBERED_KEYS = 2_000;
/** Keys, names and outcomes come again and again: such a text is searched once. Only those without a secret are kept. */
const REMEMBERED_TEXTS = 2_000;
const LONGEST_REMEMBERED_TEXT = 64;

/** Payloads repeat their keys: each is judged once. Emptied when full, so that keys made of data cannot fill the memory. */
function remember(test: (key: string) => boolean): (key: string) => boolean {
  const answers = new Map<string, boolean>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = test(key);
    if (answers.size >= REMEMBERED_KEYS) answers.clear();
    if (key.length <= 128) answers.set(key, answer);
    return answer;
  };
}
