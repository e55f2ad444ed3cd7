/**
 * In how many ways a regular expression can be tried on one text, at most: what backtracking costs in the worst case. A
 * choice counts as one way more than it has, for the steps that choosing takes: many small ones cost most. Infinity where it grows exponentially with the text. The expression must be one that the flag `u` takes.
 */
export function matcherWays(source: string, maxLength: number): number {
  return new Scanner(source, maxLength).alternatives();
}

const GROUP_START = /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/uy;
const ATOM = /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|./suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/uy;

/** Alternatives add up, a sequence multiplies, a repetition raises to a power. */
class Scanner {
  readonly #source: string;
  readonly #maxLength: number;
  #at = 0;

  constructor(source: string, maxLength: number) {
    this.#source = source;
    this.#maxLength = maxLength;
  }

  alternatives(): number {
    const first = this.#sequence();
    if (this.#source[this.#at] !== "|") return first;
    let ways = first + 1;
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      ways += this.#sequence();
    }
    return ways;
  }

  #sequence(): number {
    let ways = 1;
    while (this.#at < this.#source.length && !"|)".includes(this.#source.charAt(this.#at))) {
      const once = this.#once();
      ways *= this.#repeated(once);
    }
    return ways;
  }

  #once(): number {
    if (this.#take(GROUP_START) === undefined) {
      this.#take(ATOM);
      return 1;
    }
    const ways = this.alternatives();
    this.#at += 1;
    return ways;
  }

  #repeated(once: number): number {
    const quantifier = this.#take(QUANTIFIER);
    if (quantifier === undefined) return once;
    const [least, most] = bounds(quantifier);
    if (least === most) return once ** most;
    if (once > 1) return once ** most * (most - least + 2);
    return Math.min(most, this.#maxLength) - Math.min(least, this.#maxLength) + 2;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

function bounds([, sign, least, comma, most]: RegExpExecArray): readonly [least: number, most: number] {
  if (sign === "?") return [0, 1];
  if (sign !== undefined) return [sign === "+" ? 1 : 0, Number.POSITIVE_INFINITY];
  if (comma === undefined) return [Number(least), Number(least)];
  return [Number(least), most === undefined ? Number.POSITIVE_INFINITY : Number(most)];
}
