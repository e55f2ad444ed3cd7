import { parse } from "smol-toml";

/**
 * The line, from 1, on which the value at `path` is written. A beginning of the text that is a document by itself and has
 * the value ends on it or after it; where the value takes several lines, it is the first of them.
 */
export function lineOf(text: string, path: readonly PropertyKey[]): number | undefined {
  const lines = text.split("\n");
  let start = 0;
  for (let end = 1; end <= lines.length; end += 1) {
    const document = parsed(lines.slice(0, end).join("\n"));
    if (document === undefined) continue;
    if (has(document, path)) return firstLine(lines, start, end);
    start = end;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function has(value: unknown, path: readonly PropertyKey[]): boolean {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return false;
    inner = (inner as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return true;
}

/** The first of these lines that is neither blank nor a comment. */
function firstLine(lines: readonly string[], start: number, end: number): number {
  const index = lines.slice(start, end).findIndex((line) => !/^\s*(?:#|$)/.test(line));
  return start + Math.max(index, 0) + 1;
}
