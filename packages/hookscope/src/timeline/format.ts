/** A length of time in at most 7 columns: `<0.1 ms`, `0.4 ms`, `12 ms`, `1.23 s`, `42.1 s`, `3m 07s`, `2h 05m`. */
export function duration(milliseconds: number): string {
  const ms = Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
  if (ms === 0) return "0 ms";
  if (ms < 0.05) return "<0.1 ms";
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 3599.5) return pair(Math.round(seconds), 60, "m", "s");
  return pair(Math.round(seconds / 60), 60, "h", "m");
}

/** `1 call`, `2 calls`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `950`, `1.2k`, `34k`, `1.2M`. */
export function compact(number: number): string {
  if (number < 1000) return String(Math.round(number));
  const [scaled, unit] = number < 999_500 ? [number / 1000, "k"] : [number / 1_000_000, "M"];
  return `${scaled < 9.95 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}

/** `$0.0123`, `$1.20`. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}

function pair(value: number, base: number, large: string, small: string): string {
  return `${Math.floor(value / base)}${large} ${String(value % base).padStart(2, "0")}${small}`;
}
