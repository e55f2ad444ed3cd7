/** One row of the table of secret shapes: how a kind of secret looks inside a text. */
export interface SecretShape {
  /** Lower-case words joined by `_`; it stands in the marker: `[redacted:github_token]`. */
  readonly id: string;
  readonly description: string;
  /**
   * Takes linear time on any text: every repetition is bounded, or is one character class at the very end. Prefer that
   * open end to a maximum, so that no part of a long secret is left standing.
   */
  readonly pattern: RegExp;
  /**
   * Cheap substrings, any of which must occur before the pattern is tried. Compared in lower case where the pattern
   * ignores case.
   */
  readonly hints: readonly string[];
  /** The capture group that holds the secret; the whole match when absent. */
  readonly group?: number;
}
