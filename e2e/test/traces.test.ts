import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { ATTRIBUTES, SPANS, type AttributeKey, type AttributeRow, type SpanType } from "@hookscope/hooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startJaeger, type Jaeger } from "../backends/start.ts";
import { findTraces, readTrace } from "../jaeger-client.ts";
import type { StoredSpan } from "../otlp-spans.ts";

/*
 * The demo's turn, and the bus embedded in a loop of one's own, as Jaeger has them.
 */

interface DemoSpan {
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: string };
}

interface DemoDocument {
  readonly traceId: string;
  readonly spans: readonly DemoSpan[];
  readonly invocations: readonly { readonly point: string; readonly hook: string; readonly spanId: string }[];
}

const SERVICE = "hookscope-demo";
const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

let jaeger: Jaeger;
let home: string;
let document: DemoDocument;
let stored: readonly StoredSpan[];

beforeAll(async () => {
  jaeger = await startJaeger();
  home = await mkdtemp(join(tmpdir(), "hookscope-e2e-"));
  document = JSON.parse(await runSource("packages/hookscope/src/main.ts", "demo", "--exit", "--json")) as DemoDocument;
  stored = await readTrace(jaeger.queryUrl, document.traceId, { expectedSpans: document.spans.length });
});

afterAll(async () => {
  await jaeger?.stop();
  if (home !== undefined) await rm(home, { recursive: true, force: true });
});

async function runSource(file: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ["--conditions=@hookscope/source", join(root, file), ...args], {
    cwd: root,
    env: {
      ...process.env,
      HOOKSCOPE_HOME: home,
      OTEL_SERVICE_NAME: SERVICE,
      OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.otlpHttpUrl,
    },
    maxBuffer: 32 * 1024 * 1024,
  });
  return stdout;
}

describe("the demo's turn in Jaeger", () => {
  test("is one trace with every span of the document, each with its name, parent, status and attributes", () => {
    const inJaeger = stored.map(({ spanId, parentSpanId = null, name, status, attributes }) => ({
      spanId,
      parentSpanId,
      name,
      status: status.code,
      attributes,
    }));
    const inDocument = document.spans.map(({ spanId, parentSpanId, name, status, attributes }) => ({
      spanId,
      parentSpanId,
      name,
      status: status.code,
      attributes,
    }));
    expect(inJaeger.toSorted(bySpanId)).toEqual(inDocument.toSorted(bySpanId));
  });

  test("has every invocation of the document as a span named after its point and hook", () => {
    const names = new Map(stored.map(({ spanId, name }) => [spanId, name]));
    expect(document.invocations.map(({ spanId }) => names.get(spanId))).toEqual(
      document.invocations.map(({ point, hook }) => `${point} ${hook}`),
    );
  });

  test("has every span under the parent that the trace's shape gives it", () => {
    const byId = new Map(stored.map((span) => [span.spanId, span]));
    const misplaced = stored
      .map((span) => ({ span: span.name, under: parentType(span, byId), expected: expectedParent(span, byId) }))
      .filter(({ under, expected }) => under !== expected);
    expect(misplaced).toEqual([]);
  });

  test("has every span within its parent's time", () => {
    const byId = new Map(stored.map((span) => [span.spanId, span]));
    const outside = stored.filter((span) => {
      const parent = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
      return parent !== undefined && (span.startTime < parent.startTime || span.endTime > parent.endTime);
    });
    expect(outside.map(({ name }) => name)).toEqual([]);
  });

  test("sets only attributes of the table, of the table's type, on the spans the table names", () => {
    const wrong = stored.flatMap((span) =>
      Object.entries(span.attributes)
        .filter(([key, value]) => !fits(span, key, value))
        .map(([key, value]) => ({ span: span.name, key, value })),
    );
    expect(wrong).toEqual([]);
  });

  test("carries its session on every span, but where the session is not known yet", () => {
    const sessionOf = (name: string): unknown => stored.find((span) => span.name === name)?.attributes["session.id"];
    const known = new Set([sessionOf("invoke_agent maintainer"), sessionOf("invoke_agent checker")]);
    const without = stored.filter(({ attributes }) => !known.has(attributes["session.id"]));
    expect([known.size, without.map(({ name }) => name)]).toEqual([2, ["pre_gateway_dispatch inbox"]]);
  });

  test("shows no prompt, reply, argument or result", () => {
    const contentKeys = Object.entries<AttributeRow>(ATTRIBUTES).flatMap(([key, row]) => (row.content ? [key] : []));
    expect(stored.flatMap(({ attributes }) => contentKeys.filter((key) => key in attributes))).toEqual([]);
  });

  test.for([
    { tags: { "agent_turn.has_block": "true" } },
    { tags: { "agent_turn.has_failure": "true" } },
    { tags: { "agent_hook.decision": "block" } },
    { tags: { "agent_tool.blocked_by": "danger_guard", "gen_ai.tool.name": "shell" } },
  ])("is found by $tags", async ({ tags }) => {
    expect(await findTraces(jaeger.queryUrl, { service: SERVICE, tags, expectedTraces: 1 })).toEqual([
      document.traceId,
    ]);
  });

  test("is one trace: no other has a turn of this agent", async () => {
    const query = { service: SERVICE, operation: "invoke_agent maintainer" };
    expect(await findTraces(jaeger.queryUrl, query)).toEqual([document.traceId]);
  });
});

describe("the bus embedded in a loop with an SDK of its own", () => {
  test("stands in Jaeger: the hook under the turn, with its decision", async () => {
    expect(await runSource("examples/src/embed-the-bus.ts")).toBe("Blocked: history is shared\n");
    const [traceId] = await findTraces(jaeger.queryUrl, {
      service: "my-agent",
      operation: "my turn",
      expectedTraces: 1,
    });
    const spans = await readTrace(jaeger.queryUrl, traceId as string, { expectedSpans: 2 });
    const turn = spans.find(({ name }) => name === "my turn");
    expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ["my turn", undefined],
      ["pre_tool_call no_force_push", turn?.spanId],
    ]);
    expect(spans[1]?.attributes).toMatchObject({
      "agent_hook.point": "pre_tool_call",
      "agent_hook.name": "no_force_push",
      "agent_hook.execution": "ok",
      "agent_hook.decision": "block",
      "agent_hook.applied": true,
      "agent_hook.reason": "history is shared",
    });
  });
});

function bySpanId(left: { readonly spanId: string }, right: { readonly spanId: string }): number {
  return left.spanId < right.spanId ? -1 : 1;
}

/** What a span is, by its name's first word; a hook's is its point. */
function typeOf(span: StoredSpan): SpanType {
  if (span.attributes["agent_hook.point"] !== undefined) return "hook";
  const first = span.name.split(" ")[0];
  const types = Object.keys(SPANS) as SpanType[];
  return types.find((type) => type !== "hook" && SPANS[type].name.split(" ")[0] === first) ?? "hook";
}

function parentType(span: StoredSpan, byId: ReadonlyMap<string, StoredSpan>): SpanType | undefined {
  const parent = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
  return parent === undefined ? undefined : typeOf(parent);
}

const UNDER_THE_TOOL_CALL: ReadonlySet<unknown> = new Set([
  "pre_tool_call",
  "post_tool_call",
  "transform_tool_result",
  "pre_approval_request",
  "post_approval_response",
  "subagent_start",
  "subagent_stop",
  "beforeToolCall",
  "afterToolCall",
]);

function expectedParent(span: StoredSpan, byId: ReadonlyMap<string, StoredSpan>): SpanType | undefined {
  const point = span.attributes["agent_hook.point"];
  switch (typeOf(span)) {
    case "message":
      return undefined;
    case "turn":
      return span.attributes["agent_turn.parent_id"] === undefined ? "message" : "tool_call";
    case "approval":
      return "tool_call";
    case "hook":
      if (point === "pre_gateway_dispatch" || point === "post_gateway_admission") return "message";
      // Mods are told of a session and of a message before the turn has rounds; where they are, is where their span is.
      if (point === "transformInput" || point === "onSessionStart") return parentType(span, byId);
      return UNDER_THE_TOOL_CALL.has(point) ? "tool_call" : "turn";
    default:
      return "turn";
  }
}

function fits(span: StoredSpan, key: string, value: unknown): boolean {
  const row: AttributeRow | undefined = ATTRIBUTES[key as AttributeKey];
  if (row === undefined) return false;
  const type = typeOf(span);
  const placed = row.on.includes("all") || row.on.includes(type);
  return placed && (row.type === "string[]" ? Array.isArray(value) : typeof value === row.type);
}
