import type { SessionSummary } from "@hookscope/harness";
import { expect, test } from "vitest";

import { inFamilies } from "../src/session-families.ts";

function summary(id: string, parent?: string): SessionSummary {
  const subagentOf = { sessionId: parent ?? "", turnId: "t", toolCallId: "c", type: "helper" };
  return { id, cwd: "/", createdAt: 0, updatedAt: 0, messages: 1, ...(parent === undefined ? {} : { subagentOf }) };
}

test.for([
  ["a subagent's comes below its parent's, whichever was used last", ["c<a", "b", "a"], ["b", "a", " c"]],
  ["as do a subagent's subagent's", ["d<c", "c<a", "e<a", "a", "b"], ["a", " c", "  d", " e", "b"]],
  ["one whose parent is gone stands for itself", ["b<gone", "a"], ["b", "a"]],
  ["one that says it is its own is listed once", ["a<a", "b"], ["a", "b"]],
  ["so are two that say they are each other's", ["a<b", "b<a", "c"], ["c", "a", " b"]],
  ["none is none", [], []],
] as const)("%s", ([, given, expected]) => {
  const sessions = given.map((name) => summary(...(name.split("<") as [string, string?])));
  expect(inFamilies(sessions).map(({ session, depth }) => " ".repeat(depth) + session.id)).toEqual(expected);
});
