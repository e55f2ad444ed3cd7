import { trace } from "@opentelemetry/api";
import { createTestTelemetry, type TestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

let telemetry: TestTelemetry;

beforeEach(() => {
  telemetry = createTestTelemetry();
});

afterEach(() => telemetry.dispose());

test("the tests of this run speak to API 1.9.1", () => {
  const registry: unknown = Reflect.get(globalThis, Symbol.for("opentelemetry.js.api.1"));
  expect(registry).toMatchObject({ version: "1.9.1" });
});

test("their spans are made by SDK 2.12.1", () => {
  const span = telemetry.tracer.startSpan("span");
  expect(span).toMatchObject({ resource: { attributes: { "telemetry.sdk.version": "2.12.1" } } });
});

test("a span through the API is recorded, and is the parent of what is made under it", () => {
  trace.getTracer("test").startActiveSpan("parent", (parent) => {
    trace.getTracer("test").startSpan("child").end();
    parent.end();
  });
  expect(telemetry.tree()).toEqual(["parent", "  child"]);
});
