/** A small reading of a pattern's source: enough to see where its repetitions stand. */
interface Repetition {
  readonly at: number;
  readonly max: number;
  readonly min: number;
  /** What it repeats holds repetitions itself. */
  readonly inner: readonly Repetition[];
  /** Nothing but closing brackets, another alternative or the end follows. */
  readonly isLast: boolean;
}

/** Whether a repetition without an upper bound stands anywhere but at the end of an alternative of the whole pattern. */
export function hasOpenRepetitionInside(source: string): boolean {
  return read(source).some((repetition) => repetition.max === Infinity && !repetition.isLast);
}

/** Repetitions of several lengths that hold others of several lengths: where exponential time comes from. */
export function nestedRepetitions(source: string): readonly string[] {
  return read(source)
    .filter(
      ({ max, min, inner }) => max > 1 && max > min && inner.some((repetition) => repetition.max > repetition.min),
    )
    .map(({ at }) => source.slice(0, at));
}

export function repetitionLimits(source: string): readonly number[] {
  return read(source)
    .map(({ max }) => max)
    .filter((max) => max !== Infinity);
}

function read(source: string): readonly Repetition[] {
  const found: Repetition[] = [];
  const groups: { readonly from: number; readonly isLookaround: boolean }[] = [];
  let inner: readonly Repetition[] = [];
  for (let at = 0; at < source.length;) {
    const [piece = ""] = PIECE.exec(source.slice(at)) ?? [];
    if (piece === "") throw new Error(`Cannot read the pattern at ${source.slice(at, at + 20)}`);
    const bounds = boundsOf(piece);
    if (bounds !== undefined) {
      found.push({ at, ...bounds, inner, isLast: isLast(source, at + piece.length, groups.length) });
      inner = [];
    } else if (piece.startsWith("(")) {
      groups.push({ from: found.length, isLookaround: /^\(\?<?[=!]/.test(piece) });
      inner = [];
    } else if (piece === ")") {
      inner = found.slice(groups.pop()?.from);
    } else inner = [];
    at += piece.length;
  }
  return found;
}

/** An escape, a class, the opening of a group, a repetition with its `?`, or one character. */
const PIECE = /^(?:\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:)|\(|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^\\[])/s;

function boundsOf(piece: string): { readonly min: number; readonly max: number } | undefined {
  if (/^[*+?]/.test(piece)) return { min: piece.startsWith("+") ? 1 : 0, max: piece.startsWith("?") ? 1 : Infinity };
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(piece) ?? [];
  if (min === undefined) return undefined;
  return {
    min: Number(min),
    max: comma === "" ? Number(min) : max === "" || max === undefined ? Infinity : Number(max),
  };
}

/** Skips the other alternatives of the groups it stands in; then only closing brackets may be left. */
function isLast(source: string, from: number, depth: number): boolean {
  let open = depth;
  let isSkipping = false;
  for (let at = from; at < source.length;) {
    const [piece = ""] = PIECE.exec(source.slice(at)) ?? [];
    if (piece === "") return false;
    if (piece === "|") isSkipping = true;
    else if (piece === ")") {
      open -= 1;
      isSkipping = false;
    } else if (!isSkipping) return false;
    else if (piece.startsWith("(")) at = closing(source, at);
    if (open < 0) return false;
    at += piece.startsWith("(") ? 1 : piece.length;
  }
  return true;
}

/** The place of the bracket that closes the group opened at `from`. */
function closing(source: string, from: number): number {
  let open = 0;
  for (let at = from; at < source.length;) {
    const [piece = ""] = PIECE.exec(source.slice(at)) ?? [];
    if (piece.startsWith("(")) open += 1;
    if (piece === ")") open -= 1;
    if (open === 0) return at;
    at += Math.max(1, piece.length);
  }
  return source.length;
}
