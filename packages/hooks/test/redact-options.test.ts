import { expect, test } from "vitest";
import { HookError } from "../src/errors.ts";
import { createRedactor, type SecretShape } from "../src/redact/index.ts";

const SHAPE: SecretShape = { id: "badge", description: "Badge number", pattern: /BADGE-[0-9]{4}/, hints: ["BADGE-"] };

test("further key names hold for payloads and for text, also as the ending of longer names", () => {
  const redactor = createRedactor({ keyNames: ["customer_pin"] });
  expect(redactor.value({ newCustomerPin: 1234 })).toEqual({ newCustomerPin: "[redacted]" });
  expect(redactor.text("set customer-pin=1234 now")).toBe("set customer-pin=[redacted] now");
  expect(redactor.value({ password: "x" })).toEqual({ password: "[redacted]" });
});

test("an allowed key is not secret; a shape in its value still is", () => {
  const redactor = createRedactor({ allowKeys: ["next_page_token"], shapes: [SHAPE] });
  expect(redactor.value({ nextPageToken: "abc", token: "abc" })).toEqual({ nextPageToken: "abc", token: "[redacted]" });
  expect(redactor.text("next_page_token=abc token=abc")).toBe("next_page_token=abc token=[redacted]");
  expect(redactor.value({ next_page_token: "BADGE-1234" })).toEqual({ next_page_token: "[redacted:badge]" });
});

test("a further shape works beside the known ones, and its group and flags are kept", () => {
  const pattern = /badge ([0-9]{4})/i;
  const redactor = createRedactor({ shapes: [{ ...SHAPE, pattern, hints: ["Badge"], group: 1 }] });
  expect(redactor.text("BADGE 1234 and badge 5678, password=x1")).toBe(
    "BADGE [redacted:badge] and badge [redacted:badge], password=[redacted]",
  );
  expect(pattern.lastIndex).toBe(0);
});

test("where two shapes overlap, all that either covers goes, and the earlier row names the marker", () => {
  const seat: SecretShape = { id: "seat", description: "Seat", pattern: /[0-9]{4}-ROW[0-9]/, hints: ["-ROW"] };
  expect(createRedactor({ shapes: [SHAPE, seat] }).text("at BADGE-1234-ROW5.")).toBe("at [redacted:badge].");
  expect(createRedactor({ shapes: [seat, SHAPE] }).text("at BADGE-1234-ROW5.")).toBe("at [redacted:seat].");
});

const REFUSED: readonly (readonly [what: string, options: unknown, message: string])[] = [
  ["shapes no array", { shapes: "x" }, "`shapes` is not an array."],
  ["a shape that is null", { shapes: [null] }, "`shapes[0]` cannot be used: it is not an object."],
  ["an id with capitals", { shapes: [{ ...SHAPE, id: "Badge" }] }, "`id` is not lower-case words joined by _"],
  ["an id that is taken", { shapes: [SHAPE, SHAPE] }, '`shapes[1]` cannot be used: the id "badge" is taken.'],
  ["the id of a known shape", { shapes: [{ ...SHAPE, id: "jwt" }] }, 'the id "jwt" is taken'],
  ["no description", { shapes: [{ ...SHAPE, description: undefined }] }, "`description` is not a string"],
  ["a pattern in a string", { shapes: [{ ...SHAPE, pattern: "x" }] }, "`pattern` is not a regular expression"],
  ["a sticky pattern", { shapes: [{ ...SHAPE, pattern: /x/y }] }, "`pattern` is sticky"],
  ["a pattern for the empty text", { shapes: [{ ...SHAPE, pattern: /x?/ }] }, "`pattern` matches the empty text"],
  ["no hints", { shapes: [{ ...SHAPE, hints: [] }] }, "`hints` is not a list of non-empty strings"],
  ["an empty hint", { shapes: [{ ...SHAPE, hints: [""] }] }, "`hints` is not a list of non-empty strings"],
  ["a group that is not there", { shapes: [{ ...SHAPE, group: 1 }] }, "of which there are 0"],
  ["an empty key name", { keyNames: ["pin", " "] }, "`keyNames[1]` cannot be used"],
  ["a key name that is no string", { keyNames: [/pin/] }, "`keyNames[0]` cannot be used"],
  ["allowed keys no array", { allowKeys: new Set(["pin"]) }, "`allowKeys` is not an array."],
  [
    "a shape that throws when it is read",
    {
      shapes: [
        Object.defineProperty({ ...SHAPE }, "pattern", {
          enumerable: true,
          get: () => {
            throw new Error("unreadable");
          },
        }),
      ],
    },
    "`shapes[0]` cannot be used: unreadable.",
  ],
];

test.for(REFUSED)("%s is refused at creation", ([, options, message]) => {
  const create = (): unknown => Reflect.apply(createRedactor, undefined, [options]);
  expect(create).toThrow(HookError);
  expect(create).toThrow(expect.objectContaining({ code: "HOOK_REDACTOR_INVALID" }));
  expect(create).toThrow(message);
});
