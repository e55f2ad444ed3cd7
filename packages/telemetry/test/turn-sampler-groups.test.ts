import { SpanKind, trace, type Link, type Span } from "@opentelemetry/api";
import { expect, test } from "vitest";

import { SampledTurns } from "./support/sampled-turns.ts";

const BLOCK = { "agent_hook.decision": "block" };

function linkTo(span: Span): Link {
  return { context: span.spanContext() };
}

test("a subagent's turn belongs to the decision about the turn above it, whichever of them has the reason", () => {
  for (const blocked of ["parent", "child"]) {
    const turns = new SampledTurns();
    const parent = turns.startTurn("parent");
    const tool = turns.start("execute_tool agent", { parent });
    const child = turns.startTurn("child", { parent: tool, attributes: { "agent_turn.parent_id": "parent" } });
    turns.hook(blocked === "child" ? child : parent, "policy", BLOCK);
    for (const span of [child, tool, parent]) turns.end(span);
    expect(turns.names).toEqual([
      "pre_tool_call policy",
      "invoke_agent child",
      "execute_tool agent",
      "invoke_agent parent",
    ]);
    const reasons = turns.exported.map(({ attributes }) => attributes["agent_turn.kept_because"]);
    expect(reasons).toEqual([undefined, undefined, undefined, "block"]);
  }
});

test("a subagent's turn that ends well ahead of its parent's decides nothing", () => {
  const turns = new SampledTurns();
  const parent = turns.startTurn("parent");
  turns.end(turns.startTurn("child", { parent }));
  expect(turns.counts.held.spans).toBe(1);
  turns.end(parent);
  expect(turns.counts.sampledOut).toEqual({ turns: 1, spans: 2 });
});

test("turns that share one trace are decided one by one, and what stands above them passes", () => {
  const turns = new SampledTurns();
  const request = turns.start("POST /chat");
  const plain = turns.startTurn("plain", { parent: request });
  const blocked = turns.startTurn("blocked", { parent: request });
  turns.hook(plain, "audit");
  turns.hook(blocked, "policy", BLOCK);
  turns.end(plain);
  turns.end(blocked);
  turns.end(request);
  expect(turns.names).toEqual(["pre_tool_call policy", "invoke_agent blocked", "POST /chat"]);
});

test("the message above a turn follows the turn's decision, though it ends later", () => {
  for (const [attributes, expected] of [
    [BLOCK, ["pre_gateway_dispatch inbox", "pre_tool_call policy", "invoke_agent t", "message telegram"]],
    [{}, []],
  ] as const) {
    const turns = new SampledTurns();
    const message = turns.start("message telegram", { kind: SpanKind.CONSUMER });
    turns.end(
      turns.start("pre_gateway_dispatch inbox", {
        parent: message,
        attributes: { "agent_hook.point": "pre_gateway_dispatch" },
      }),
    );
    const turn = turns.startTurn("t", { parent: message });
    turns.hook(turn, "policy", attributes);
    turns.end(turn);
    turns.end(message, { attributes: { "agent_message.outcome": "turn" } });
    expect(turns.names).toEqual(expected);
  }
});

test("a message that had no turn is decided by itself: blocked and failed ones are kept", () => {
  const turns = new SampledTurns();
  const handle = (source: string, outcome: string, decision: string): void => {
    const message = turns.start(`message ${source}`, { kind: SpanKind.CONSUMER });
    turns.hook(message, source, { "agent_hook.decision": decision });
    turns.end(message, { attributes: { "agent_message.outcome": outcome } });
  };
  handle("plain", "turn", "continue");
  handle("blocked", "blocked", "block");
  handle("failed", "failed", "continue");
  expect(turns.names).toEqual(["pre_tool_call blocked", "message blocked", "pre_tool_call failed", "message failed"]);
});

test("spans that end after the decision follow it, and so do those that only start then", () => {
  for (const [attributes, expected] of [
    [BLOCK, ["pre_tool_call policy", "invoke_agent t", "late", "later"]],
    [{}, []],
  ] as const) {
    const turns = new SampledTurns();
    const turn = turns.startTurn("t");
    const late = turns.start("late", { parent: turn });
    turns.hook(turn, "policy", attributes);
    turns.end(turn);
    turns.end(late, { error: "too late to matter" });
    turns.hook(turn, "later", BLOCK);
    expect(turns.names).toEqual(expected.map((name) => (name === "later" ? "pre_tool_call later" : name)));
    expect(turns.counts.sampledOut.spans).toBe(expected.length === 0 ? 4 : 0);
  }
});

test("spans outside any turn pass, also another library's agent and a consumer of some queue", () => {
  const turns = new SampledTurns();
  turns.end(turns.start("GET /health"));
  turns.end(turns.start("invoke_agent theirs", { attributes: { "gen_ai.operation.name": "invoke_agent" } }));
  turns.end(turns.start("message receive", { kind: SpanKind.CLIENT }));
  expect(turns.names).toEqual(["GET /health", "invoke_agent theirs", "message receive"]);
});

test("the end of a session follows the last turn it is linked to", () => {
  const turns = new SampledTurns();
  const endSession = (name: string, last: Span, attributes = {}): void => {
    const session = turns.start(`session ${name}`, { links: [linkTo(last)], attributes: { "agent_turn.id": name } });
    turns.hook(session, name, attributes);
    turns.end(session);
  };
  const blocked = turns.startTurn("blocked");
  turns.hook(blocked, "policy", BLOCK);
  turns.end(blocked);
  const plain = turns.startTurn("plain");
  turns.end(plain);
  endSession("blocked", blocked);
  endSession("plain", plain);
  endSession("failing", plain, { "agent_hook.execution": "error" });
  expect(turns.names).toEqual([
    "pre_tool_call policy",
    "invoke_agent blocked",
    "pre_tool_call blocked",
    "session blocked",
    "pre_tool_call failing",
    "session failing",
  ]);
  expect(turns.counts.kept).toMatchObject({ block: 1, followed: 1, failure: 1 });
});

test("a turn under a remote parent is a turn of its own", () => {
  const turns = new SampledTurns();
  const remote = trace.wrapSpanContext({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    traceFlags: 1,
    isRemote: true,
  });
  const turn = turns.startTurn("t", { parent: remote });
  turns.hook(turn, "policy", BLOCK);
  turns.end(turn);
  expect(turns.names).toEqual(["pre_tool_call policy", "invoke_agent t"]);
});
