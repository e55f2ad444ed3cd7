/** A value as an error names it. Reading it never throws, and of what may hold more than a name only the type is told. */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value);
    case "object":
      return value === null ? "null" : "an object";
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}

const MAX_LENGTH = 100;
