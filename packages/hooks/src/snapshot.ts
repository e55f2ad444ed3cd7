import type { JsonObject, JsonValue } from "./json.ts";

const snapshots = new WeakSet<object>();

/** Deeper values are replaced by a marker: recursion must not overflow the stack of the agent. */
const MAX_DEPTH = 200;
/** A longer list is replaced by a marker: a sparse one, or a proxy, may claim a length that no memory holds. */
const MAX_ITEMS = 10_000_000;

/**
 * A deeply frozen JSON copy, made once per dispatch. What JSON cannot say becomes a marker text: `[circular]`,
 * `[bigint 12]`, `[bytes 1024]`, `[function]`, `[symbol]`, `[Map]`, `[unreadable]`, `[too deep]`, `[too long 4294967295]`.
 * `undefined` fields are left out, dates become ISO texts, errors become `{ name, message }`, numbers that are not finite
 * become null, and what has a `toJSON` becomes what that returns.
 * Never throws. A value that is a snapshot already is returned as it is.
 */
export function snapshot<Value>(value: Value): Value {
  return isSnapshot(value) ? value : (copy(value, [], true) as Value);
}

/** Asks nothing of the value, which may be a proxy. */
function isSnapshot(value: unknown): boolean {
  return typeof value === "object" && value !== null && snapshots.has(value);
}

/** A mutable deep copy of a JSON value: what a tool or a mod may change without anybody else seeing it. */
export function mutableCopy<Value>(value: Value): Value {
  return copy(value, [], false) as Value;
}

function copy(value: unknown, ancestors: object[], frozen: boolean): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON writes minus zero as 0.
      return Number.isFinite(value) ? value + 0 : null;
    case "undefined":
      return null;
    case "bigint":
      return `[bigint ${value}]`;
    case "function":
    case "symbol":
      return `[${typeof value}]`;
    default:
      return value === null ? null : copyObject(value as object, ancestors, frozen);
  }
}

/** A proxy may throw for anything asked of it. @param isConverted a `toJSON` gave it; its own is not asked, as in JSON */
function copyObject(value: object, ancestors: object[], frozen: boolean, isConverted: boolean = false): JsonValue {
  const depth = ancestors.length;
  try {
    if (frozen && isSnapshot(value)) return value as JsonValue;
    if (ancestors.includes(value)) return "[circular]";
    if (depth >= MAX_DEPTH) return "[too deep]";
    const special = describeSpecial(value);
    if (special !== undefined) return special;
    ancestors.push(value);
    const json = isConverted ? value : convert(value);
    const result = json === value ? copyParts(value, ancestors, frozen) : copyConverted(json, ancestors, frozen);
    ancestors.pop();
    return result;
  } catch {
    ancestors.length = depth;
    return "[unreadable]";
  }
}

/** What JSON would be made of. */
function convert(value: object): unknown {
  if (value instanceof Error) return { name: String(value.name), message: String(value.message) };
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? Reflect.apply(toJSON, value, []) : value;
}

function copyConverted(json: unknown, ancestors: object[], frozen: boolean): JsonValue {
  return typeof json === "object" && json !== null
    ? copyObject(json, ancestors, frozen, true)
    : copy(json, ancestors, frozen);
}

function copyParts(value: object, ancestors: object[], frozen: boolean): JsonValue {
  const result = Array.isArray(value) ? copyItems(value, ancestors, frozen) : copyFields(value, ancestors, frozen);
  if (frozen && typeof result === "object") snapshots.add(Object.freeze(result));
  return result;
}

function copyItems(value: readonly unknown[], ancestors: object[], frozen: boolean): JsonValue[] | string {
  const { length } = value;
  if (length > MAX_ITEMS) return `[too long ${length}]`;
  const result: JsonValue[] = [];
  for (let index = 0; index < length; index += 1) {
    result.push(copy(read(value, index), ancestors, frozen));
  }
  return result;
}

function copyFields(value: object, ancestors: object[], frozen: boolean): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const field = read(value, key);
    if (field === undefined) continue;
    setOwn(result, key, copy(field, ancestors, frozen));
  }
  return result;
}

/** Assignment to `__proto__` would set the prototype; an own field of that name stays an own field. */
function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

function read(value: object, key: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}

/** What is neither a list nor a plain object and has a text of its own. */
function describeSpecial(value: object): string | null | undefined {
  if (Object.getPrototypeOf(value) === Object.prototype || Array.isArray(value)) return undefined;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[bytes ${value.byteLength}]`;
  if (value instanceof Date) return describeDate(value);
  if (
    value instanceof Map ||
    value instanceof Set ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof Promise
  ) {
    return `[${Object.prototype.toString.call(value).slice("[object ".length, -1)}]`;
  }
  return undefined;
}

/** By the methods of the language, whatever a subclass makes of them. */
function describeDate(date: Date): string | null {
  return Number.isNaN(Date.prototype.getTime.call(date)) ? null : Date.prototype.toISOString.call(date);
}

/** Whether two JSON values say the same. Key order does not count. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index]))
    );
  }
  const leftObject = left as JsonObject;
  const rightObject = right as JsonObject;
  const keys = Object.keys(leftObject);
  return (
    keys.length === Object.keys(rightObject).length &&
    keys.every((key) => Object.hasOwn(rightObject, key) && sameJson(leftObject[key], rightObject[key]))
  );
}
