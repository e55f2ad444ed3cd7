/*
 * Globs in linear time: patterns and names may both come from a model, and a pattern must not be able to hang the
 * process. `*` and `?` stay within a path segment, a segment `**` is any number of segments, `{a,b}` is either.
 */

export type GlobTest = (name: string) => boolean;

/** @returns undefined where the pattern is empty, has a brace without its partner, or too many alternatives */
export function compileGlob(pattern: string): GlobTest | undefined {
  const alternatives = expandBraces(pattern);
  if (pattern === "" || alternatives === undefined) return undefined;
  const wanted = alternatives.map((alternative) => alternative.split("/"));
  return (name) => {
    const segments = name.split("/");
    return wanted.some((parts) => matchSequence(parts, segments, (part) => part === "**", matchSegment));
  };
}

function matchSegment(pattern: string, segment: string): boolean {
  return matchSequence(
    Array.from(pattern),
    Array.from(segment),
    (character) => character === "*",
    (character, given) => character === "?" || character === given,
  );
}

/** Matches with one kind of wildcard. Only the last wildcard met is ever tried again, so that it takes no more than n times m steps. */
function matchSequence(
  pattern: readonly string[],
  given: readonly string[],
  isWildcard: (part: string) => boolean,
  matches: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let wildcard = -1;
  let retryFrom = 0;
  for (let index = 0; index < given.length;) {
    const part = pattern[at];
    if (part !== undefined && isWildcard(part)) {
      wildcard = at;
      retryFrom = index;
      at += 1;
    } else if (part !== undefined && matches(part, given[index] as string)) {
      at += 1;
      index += 1;
    } else if (wildcard !== -1) {
      retryFrom += 1;
      index = retryFrom;
      at = wildcard + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWildcard);
}

const MAX_ALTERNATIVES = 256;

function expandBraces(pattern: string): readonly string[] | undefined {
  const open = pattern.indexOf("{");
  if (open === -1) return pattern.includes("}") ? undefined : [pattern];
  const close = closingBrace(pattern, open);
  if (close === -1 || pattern.slice(0, open).includes("}")) return undefined;
  const tails = expandBraces(pattern.slice(close + 1));
  const choices = splitChoices(pattern.slice(open + 1, close)).map(expandBraces);
  const expanded: string[] = [];
  for (const choice of choices) {
    if (choice === undefined || tails === undefined) return undefined;
    if (expanded.length + choice.length * tails.length > MAX_ALTERNATIVES) return undefined;
    for (const middle of choice) for (const tail of tails) expanded.push(pattern.slice(0, open) + middle + tail);
  }
  return expanded;
}

function closingBrace(pattern: string, open: number): number {
  let depth = 0;
  for (let index = open; index < pattern.length; index += 1) {
    if (pattern[index] === "{") depth += 1;
    if (pattern[index] === "}") depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** At the commas that are in no inner brace. */
function splitChoices(inner: string): readonly string[] {
  const choices: string[] = [];
  let depth = 0;
  let current = "";
  for (const character of inner) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (character === "," && depth === 0) {
      choices.push(current);
      current = "";
    } else {
      current += character;
    }
  }
  return [...choices, current];
}
