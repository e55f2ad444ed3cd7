import { collectWarnings } from "@hookscope/testing";
import { expect, test } from "vitest";

test("keeps what it is told, in order", () => {
  const log = collectWarnings();
  log.warn("one", { hook: "a" });
  log.warn("two");
  expect(log.warnings).toEqual([
    { message: "one", fields: { hook: "a" } },
    { message: "two", fields: {} },
  ]);
  expect(log.messages).toEqual(["one", "two"]);
});
