import { SPANS, type SpanType } from "@hookscope/hooks";
import { spanTypeOf } from "@hookscope/hooks/internal";
import { expect, test } from "vitest";

const rows = (Object.keys(SPANS) as SpanType[]).filter((type) => type !== "hook");

test.for(rows)(
  "%s: a span named as its row says is of that type, also without what the placeholder stands for",
  (type) => {
    const name = SPANS[type].name.replace(/\{.*\}/, "gpt-x mini");
    expect(spanTypeOf({ name, attributes: {} })).toBe(type);
    expect(spanTypeOf({ name: name.split(" ")[0] ?? "", attributes: {} })).toBe(type);
  },
);

test("a hook's span is known by its point, whatever its name begins with", () => {
  expect(spanTypeOf({ name: "chat watch", attributes: { "agent_hook.point": "chat" } })).toBe("hook");
});

test.for(["chats", "compact_contexts", "GET /", "", " chat", "{point} {hook}", "constructor"])(
  'a span of somebody else, "%s", is of no type',
  (name) => {
    expect(spanTypeOf({ name, attributes: {} })).toBeUndefined();
  },
);
