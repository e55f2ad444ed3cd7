import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { withSession } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { start } from "./support/lifecycle.ts";
import { OtlpSink, valuesOf } from "./support/otlp-sink.ts";

async function sessionsOf(make: () => void): Promise<Readonly<Record<string, unknown>>> {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint });
  make();
  await telemetry.flush();
  return Object.fromEntries(
    sink.accepted.map((span) => {
      const attributes = valuesOf(span.attributes);
      return [span.name, [attributes["session.id"], attributes["gen_ai.conversation.id"]]];
    }),
  );
}

test("a third party's span takes the session of its parent, through any number of generations", async () => {
  const tracer = trace.getTracer("some-instrumentation");
  const sessions = await sessionsOf(() => {
    tracer.startActiveSpan("turn", { attributes: { "session.id": "s1" } }, (turn) => {
      tracer.startActiveSpan("http", (http) => {
        tracer.startSpan("dns").end();
        http.end();
      });
      turn.end();
    });
  });
  expect(sessions).toEqual({ turn: ["s1", "s1"], http: ["s1", "s1"], dns: ["s1", "s1"] });
});

test("withSession gives the session to spans made under its context", async () => {
  const sessions = await sessionsOf(() => {
    context.with(withSession(ROOT_CONTEXT, "s2"), () => {
      trace.getTracer("some-instrumentation").startSpan("http").end();
    });
  });
  expect(sessions).toEqual({ http: ["s2", "s2"] });
});

test("a session the span has itself stays, and a span without any gets none", async () => {
  const tracer = trace.getTracer("some-instrumentation");
  const sessions = await sessionsOf(() => {
    const own = { attributes: { "session.id": "own", "gen_ai.conversation.id": "thread" } };
    tracer.startSpan("own", own, withSession(ROOT_CONTEXT, "other")).end();
    tracer.startSpan("none", {}, ROOT_CONTEXT).end();
  });
  expect(sessions).toEqual({ own: ["own", "thread"], none: [undefined, undefined] });
});
