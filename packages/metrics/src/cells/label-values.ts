/** The value of a label whose series were too many. */
export const OTHER = "__other__";
const LONGEST = 120;

/**
 * A label value as it is exposed: well-formed text on one line, at most 120 characters. Whatever is no text, or blank,
 * becomes `unknown`, since an empty label is no label.
 */
export function labelValue(given: unknown): string {
  if (typeof given !== "string") return UNKNOWN;
  // A lone surrogate becomes U+FFFD when it is encoded; done here, two such names cannot end as one series twice.
  const text = given.toWellFormed().replaceAll(CONTROL, " ").trim();
  if (text === "") return UNKNOWN;
  if (text === OTHER) return `${OTHER}_`;
  return text.length <= LONGEST ? text : `${cutWhole(text, LONGEST - 1)}…`;
}

const UNKNOWN = "unknown";
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

function cutWhole(text: string, length: number): string {
  return text.slice(0, length).toWellFormed() === text.slice(0, length)
    ? text.slice(0, length)
    : text.slice(0, length - 1);
}
