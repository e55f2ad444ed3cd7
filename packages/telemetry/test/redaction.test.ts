import { SpanStatusCode, trace } from "@opentelemetry/api";
import { ATTRIBUTES, createRedactor } from "@hookscope/hooks";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";

import { start } from "./support/lifecycle.ts";
import { OtlpSink, valuesOf } from "./support/otlp-sink.ts";

const TOKEN = `ghp_${"aB3".repeat(12)}`;

/** A span as an instrumentation library makes it, with the secret wherever a text can stand. */
function makeLeakySpan(): void {
  const tracer = trace.getTracer("some-instrumentation", "1.0.0");
  const linked = tracer.startSpan("linked");
  const span = tracer.startSpan(`GET /repos?access_token=${TOKEN}`, {
    attributes: {
      "url.full": `https://example.org/?access_token=${TOKEN}`,
      "http.request.header.authorization": "Bearer opaque-and-without-a-shape",
      "http.request.header.cookie": ["a=1; session=opaque"],
      "app.arguments": [`git clone https://x:${TOKEN}@example.org`, "--depth=1"],
      "app.structured": { nested: { password: "hunter2hunter2", note: `uses ${TOKEN}` } },
      "app.count": 3,
    },
    links: [{ context: linked.spanContext(), attributes: { why: `because of ${TOKEN}` } }],
  });
  span.addEvent(`tried ${TOKEN}`, { detail: `sent ${TOKEN}` });
  span.recordException(new Error(`401 for ${TOKEN}`));
  span.setStatus({ code: SpanStatusCode.ERROR, message: `refused ${TOKEN}` });
  span.end();
  linked.end();
}

test("no secret of a third party's span leaves: not by name, attribute, event, link or status", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint });
  makeLeakySpan();
  await telemetry.flush();
  const text = sink.requests.map((request) => request.text).join("");
  expect(text).not.toContain(TOKEN);
  expect(text).not.toContain("opaque");
  expect(text).not.toContain("hunter2");
  const [span] = sink.accepted;
  expect(span?.name).toBe("GET /repos?access_token=[redacted:github_token]");
  expect(span?.status.message).toBe("refused [redacted:github_token]");
  expect(valuesOf(span?.attributes ?? [])["app.count"]).toBe(3);
});

test("a secret among the resource attributes does not leave", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    endpoint: sink.endpoint,
    environment: { OTEL_RESOURCE_ATTRIBUTES: `app.build=${TOKEN},app.name=agent` },
  });
  trace.getTracer("test").startSpan("span").end();
  await telemetry.flush();
  expect(sink.requests[0]?.resource["app.build"]).toBe("[redacted:github_token]");
  expect(sink.requests[0]?.resource["app.name"]).toBe("agent");
});

test("a processor given as an option exports the redacted copy", async () => {
  const exporter = new InMemorySpanExporter();
  start({ exportSpans: false, spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  makeLeakySpan();
  const spans = exporter.getFinishedSpans();
  expect(spans.map((span) => span.name)).toEqual(["GET /repos?access_token=[redacted:github_token]", "linked"]);
  expect(JSON.stringify(spans.map((span) => [span.attributes, span.events, span.status]))).not.toContain(TOKEN);
});

test("a redactor that throws leaves a mark, loses no span and leaks nothing", async () => {
  await using sink = await OtlpSink.start();
  const fail = (): never => {
    throw new Error("broken");
  };
  const telemetry = start({ endpoint: sink.endpoint, redactor: { text: fail, value: fail } });
  makeLeakySpan();
  expect(await telemetry.flush()).toEqual({ flushed: true });
  const text = sink.requests.map((request) => request.text).join("");
  expect(text).not.toContain(TOKEN);
  expect(sink.accepted.map((span) => span.name)).toEqual(["[redaction failed]", "[redaction failed]"]);
  expect(sink.accepted[0]?.status.message).toBe("[redaction failed]");
});

test("a redactor that throws on one attribute leaves the others readable", async () => {
  await using sink = await OtlpSink.start();
  const value = <T>(input: T): T => {
    if (JSON.stringify(input).includes("trip")) throw new Error("broken");
    return input;
  };
  const telemetry = start({ endpoint: sink.endpoint, redactor: { text: (text) => text, value } });
  trace
    .getTracer("test")
    .startSpan("span", { attributes: { a: "trip", b: "fine", c: 1 } })
    .end();
  await telemetry.flush();
  expect(valuesOf(sink.accepted[0]?.attributes ?? [])).toEqual({ a: "[redaction failed]", b: "fine", c: 1 });
});

test("no attribute of ours has a name that the redactor takes for a secret's", () => {
  const redactor = createRedactor();
  const attributes = Object.fromEntries(Object.keys(ATTRIBUTES).map((key) => [key, "plain"]));
  expect(redactor.value(attributes)).toBe(attributes);
});

async function exportedAttributes(
  attributes: Parameters<ReturnType<typeof trace.getTracer>["startSpan"]>[1],
  limit?: number,
): Promise<Readonly<Record<string, unknown>>> {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    endpoint: sink.endpoint,
    ...(limit === undefined ? {} : { attributeValueLengthLimit: limit }),
  });
  trace.getTracer("test").startSpan("span", attributes).end();
  await telemetry.flush();
  return valuesOf(sink.accepted[0]?.attributes ?? []);
}

test("a long value is cut at 4,096 characters, marker included, and the marker gives its length", async () => {
  const { short, exact, long } = await exportedAttributes({
    attributes: { short: "x", exact: "x".repeat(4_096), long: "x".repeat(5_000_000) },
  });
  const marker = "… [cut, 5000000 characters]";
  expect(short).toBe("x");
  expect(exact).toBe("x".repeat(4_096));
  expect(long).toBe("x".repeat(4_096 - marker.length) + marker);
});

test("the limit holds inside lists and structured values, and never halves a character", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, attributeValueLengthLimit: 64 });
  trace
    .getTracer("test")
    .startSpan("n".repeat(100), { attributes: { list: ["y".repeat(100)], map: { text: "😀".repeat(50) } } })
    .end();
  await telemetry.flush();
  const marker = "… [cut, 100 characters]";
  const { list, map } = valuesOf(sink.accepted[0]?.attributes ?? []);
  expect(sink.accepted[0]?.name).toBe("n".repeat(64 - marker.length) + marker);
  expect(list).toEqual({ values: [{ stringValue: "y".repeat(64 - marker.length) + marker }] });
  const kept = "😀".repeat(Math.floor((64 - marker.length) / 2));
  expect(map).toEqual({ values: [{ key: "text", value: { stringValue: kept + marker } }] });
});

test("a secret across the limit is taken out before the value is cut", async () => {
  const { text } = await exportedAttributes(
    { attributes: { text: `${"x ".repeat(20)}${TOKEN}${" y".repeat(100)}` } },
    64,
  );
  expect(text).toBe(`${"x ".repeat(20)}[… [cut, 280 characters]`);
});

test("half a secret at the end of what was searched does not leave either", async () => {
  const searched = 4_096 + 65_536;
  const long = `ghp_${"a".repeat(searched - 4 - 1 - 10)}`;
  const { text } = await exportedAttributes({ attributes: { text: `${long} ${TOKEN}` } });
  expect(text).toBe(`… [cut, ${long.length + 1 + TOKEN.length} characters]`);
});

test("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT is the limit where no option says otherwise", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    endpoint: sink.endpoint,
    environment: { OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: "100" },
  });
  trace
    .getTracer("test")
    .startSpan("span", { attributes: { text: "x".repeat(200) } })
    .end();
  await telemetry.flush();
  const marker = "… [cut, 200 characters]";
  expect(valuesOf(sink.accepted[0]?.attributes ?? [])["text"]).toBe("x".repeat(100 - marker.length) + marker);
});
