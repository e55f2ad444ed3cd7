import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { mutableCopy, sameJson, snapshot } from "../src/snapshot.ts";

class Point {
  x = 1;
  get far(): number {
    return 2;
  }
}

const circle: Record<string, unknown> = { name: "circle" };
circle["self"] = circle;
const shared = { deep: true };
const UNREADABLE = new Proxy({}, { ownKeys: fail });

const rows: readonly (readonly [string, unknown, unknown])[] = [
  ["null", null, null],
  ["undefined", undefined, null],
  ["a number that is not finite", [NaN, Infinity, -0.5], [null, null, -0.5]],
  ["minus zero, which JSON writes as 0", [-0], [0]],
  ["a BigInt", { id: 12n }, { id: "[bigint 12]" }],
  ["bytes", [new Uint8Array(5), new ArrayBuffer(7), Buffer.from("abc")], ["[bytes 5]", "[bytes 7]", "[bytes 3]"]],
  ["a function and a symbol", { f() {}, s: Symbol("s") }, { f: "[function]", s: "[symbol]" }],
  ["undefined fields and items", { a: undefined, b: [undefined] }, { b: [null] }],
  ["a hole in a list", Object.assign([], { 0: 1, 2: 3 }), [1, null, 3]],
  ["dates", [new Date(0), new Date(NaN)], ["1970-01-01T00:00:00.000Z", null]],
  ["an error", new RangeError("far"), { name: "RangeError", message: "far" }],
  [
    "collections",
    [new Map([[1, 2]]), new Set([1]), new WeakMap(), Promise.resolve()],
    ["[Map]", "[Set]", "[WeakMap]", "[Promise]"],
  ],
  ["a class instance", new Point(), { x: 1 }],
  [
    "what says itself how it is written as JSON",
    { at: new URL("https://host.example/a") },
    { at: "https://host.example/a" },
  ],
  ["an own toJSON", { toJSON: () => ({ a: 1, b: undefined }), hidden: true }, { a: 1 }],
  ["a toJSON that gives itself", Object.assign(new Point(), { toJSON: itself }), { x: 1, toJSON: "[function]" }],
  ["a toJSON that gives what has one", { toJSON: () => ({ toJSON: () => 1 }) }, { toJSON: "[function]" }],
  ["a toJSON that throws", { it: { toJSON: fail } }, { it: "[unreadable]" }],
  ["a toJSON that is no function", { toJSON: 1 }, { toJSON: 1 }],
  [
    "a date with a text of its own",
    new (class extends Date {
      override toISOString = (): never => ({ any: 1 }) as never;
    })(0),
    "1970-01-01T00:00:00.000Z",
  ],
  ["a list of more items than anybody reads", Object.assign([], { length: 2 ** 32 - 1 }), "[too long 4294967295]"],
  ["a cycle", circle, { name: "circle", self: "[circular]" }],
  ["the same object twice, which is no cycle", [shared, shared], [{ deep: true }, { deep: true }]],
  [
    "a throwing getter",
    Object.defineProperty({ ok: 1 }, "bad", { enumerable: true, get: fail }),
    { ok: 1, bad: "[unreadable]" },
  ],
  ["a proxy that throws", { it: new Proxy({}, { ownKeys: fail }) }, { it: "[unreadable]" }],
  ["something unreadable twice", [UNREADABLE, [UNREADABLE]], ["[unreadable]", ["[unreadable]"]]],
  ["a revoked proxy", { it: revoked() }, { it: "[unreadable]" }],
];

function itself(this: unknown): unknown {
  return this;
}

function fail(): never {
  throw new Error("cannot be read");
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test.for(rows)("%s", ([, value, expected]) => {
  expect(snapshot(value)).toEqual(expected);
  expect(mutableCopy(value)).toEqual(expected);
});

test("an own key named __proto__ stays an own key", () => {
  const value = JSON.parse('{"__proto__":{"x":1},"y":2}') as object;
  expect(JSON.stringify(snapshot(value))).toBe('{"__proto__":{"x":1},"y":2}');
  expect(Object.getPrototypeOf(snapshot(value))).toBe(Object.prototype);
});

test("a list that grows while it is read has the length it began with", () => {
  let length = 0;
  const growing = new Proxy([], {
    get: (list, key) => (key === "length" ? (length += 1) : Reflect.get(list, key)),
  });
  expect(snapshot(growing)).toEqual([null]);
});

test("every level is frozen", () => {
  const copy = snapshot({ a: { b: [{ c: 1 }] } });
  expect([copy, copy.a, copy.a.b, copy.a.b[0]].map((level) => Object.isFrozen(level))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test("what stands for an error is frozen too, and its mutable copy is not", () => {
  const value = { error: new RangeError("far") };
  expect(Object.isFrozen(snapshot(value).error)).toBe(true);
  expect(Object.isFrozen((mutableCopy(value) as typeof value).error)).toBe(false);
});

test("the original is neither frozen nor shared", () => {
  const original = { list: [1] };
  const copy = snapshot(original);
  original.list.push(2);
  expect(copy).toEqual({ list: [1] });
});

test("a snapshot of a snapshot is the same object, a mutable copy of it is not", () => {
  const copy = snapshot({ a: { b: 1 } });
  expect(snapshot(copy)).toBe(copy);
  expect(snapshot({ inner: copy }).inner).toBe(copy);
  const mutable = mutableCopy(copy) as { a: { b: number } };
  mutable.a.b = 2;
  expect(copy).toEqual({ a: { b: 1 } });
});

test("a frozen object of somebody else is copied: its inside may still change", () => {
  const inner = { n: 1 };
  const copy = snapshot(Object.freeze({ inner }));
  inner.n = 2;
  expect(copy).toEqual({ inner: { n: 1 } });
});

test("a text of 5 MB is not cut", () => {
  const text = "x".repeat(5_000_000);
  expect(snapshot({ text }).text).toBe(text);
});

test("200 levels are kept, what is deeper is marked, and 100,000 levels do not overflow the stack", () => {
  const nest = (depth: number): unknown => {
    let value: unknown = "bottom";
    for (let level = 0; level < depth; level += 1) value = [value];
    return value;
  };
  const bottom = (value: unknown): unknown => {
    let inner = value;
    while (Array.isArray(inner)) [inner] = inner as unknown[];
    return inner;
  };
  expect([200, 201, 100_000].map((depth) => bottom(snapshot(nest(depth))))).toEqual([
    "bottom",
    "[too deep]",
    "[too deep]",
  ]);
});

test("never throws, and always gives JSON", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    withSparseArray: true,
    withBoxedValues: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      const copy = snapshot(value);
      expect(JSON.parse(JSON.stringify(copy))).toEqual(copy);
    }),
  );
});

test("a JSON value is copied as it is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(snapshot(value))).toBe(JSON.stringify(value));
    }),
  );
});

describe("sameJson", () => {
  test("a copy says the same, whatever the order of its keys", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, item]) => [key, reversed(item)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: true }), (value) => {
        expect(sameJson(snapshot(value) as never, snapshot(reversed(value)) as never)).toBe(true);
      }),
    );
  });

  test.for([
    [1, "1"],
    [null, {}],
    [[], {}],
    [{}, []],
    [[1], [1, 2]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  ] as const)("%j and %j differ", ([left, right]) => {
    expect(sameJson(left, right)).toBe(false);
  });
});
