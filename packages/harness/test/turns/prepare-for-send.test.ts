import { expect, test } from "vitest";

import { text, userMessage, type AssistantContent, type Message, type ToolResultBlock } from "../../src/index.ts";
import { prepareForSend } from "../../src/prepare-for-send.ts";

const assistant = (...content: readonly AssistantContent[]): Message => ({ role: "assistant", content });
const call = (id: string): AssistantContent => ({ type: "tool_use", id, name: "shell", input: {} });
const result = (toolCallId: string, content = "ran", isError = false): ToolResultBlock => ({
  type: "tool_result",
  toolCallId,
  toolName: "shell",
  content: [text(content)],
  isError,
});
const results = (...content: readonly ToolResultBlock[]): Message => ({
  role: "user",
  source: "tool_results",
  content,
});
const CANCELLED = (id: string): ToolResultBlock => result(id, "Cancelled", true);

test("a valid conversation is sent as it is", () => {
  const messages = [userMessage("one"), assistant(call("a")), results(result("a")), assistant(text("done"))];
  expect(prepareForSend(messages, undefined)).toEqual(messages);
});

test("a call without a result gets one, at the end, before a message and beside the results of others", () => {
  expect(prepareForSend([userMessage("one"), assistant(call("a"))], undefined)).toEqual([
    userMessage("one"),
    assistant(call("a")),
    results(CANCELLED("a")),
  ]);
  expect(prepareForSend([userMessage("one"), assistant(call("a")), userMessage("two")], undefined)).toEqual([
    userMessage("one"),
    assistant(call("a")),
    { role: "user", source: "user", content: [CANCELLED("a"), text("two")] },
  ]);
  expect(
    prepareForSend([userMessage("one"), assistant(call("a"), call("b")), results(result("b"))], undefined),
  ).toEqual([userMessage("one"), assistant(call("a"), call("b")), results(CANCELLED("a"), result("b"))]);
});

test("a call that another answer follows gets its result in between", () => {
  const messages = [userMessage("one"), assistant(call("a")), assistant(text("on"))];
  expect(prepareForSend(messages, undefined)).toEqual([
    userMessage("one"),
    assistant(call("a")),
    results(CANCELLED("a")),
    assistant(text("on")),
  ]);
});

test("a result without a call is left out, and the message with it where nothing else is in it", () => {
  const messages = [userMessage("one"), results(result("gone")), assistant(text("done"))];
  expect(prepareForSend(messages, undefined)).toEqual([userMessage("one"), assistant(text("done"))]);
});

test("messages that follow one another in one role are merged; results of calls come first", () => {
  const messages = [
    userMessage("one"),
    userMessage("two", "steering"),
    assistant(text("a")),
    assistant(call("b")),
    userMessage("three", "steering"),
    results(result("b")),
  ];
  const sent = prepareForSend(messages, undefined);
  expect(sent.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
    ["user", ["text", "text"]],
    ["assistant", ["text", "tool_use"]],
    ["user", ["tool_result", "text"]],
  ]);
});

test("a result that comes after something else that was said is still its call's", () => {
  const messages = [userMessage("one"), assistant(call("a")), userMessage("mind", "custom"), results(result("a"))];
  expect(prepareForSend(messages, undefined)).toEqual([
    userMessage("one"),
    assistant(call("a")),
    { role: "user", source: "custom", content: [result("a"), text("mind")] },
  ]);
});

test("an empty answer is not sent", () => {
  const messages = [userMessage("one"), assistant(), userMessage("two")];
  expect(prepareForSend(messages, undefined)).toEqual([
    { role: "user", source: "user", content: [text("one"), text("two")] },
  ]);
});

test("the turn's context joins the last message the user wrote, not what came after it", () => {
  const messages = [userMessage("one"), userMessage("steer", "steering"), assistant(call("a")), results(result("a"))];
  expect(prepareForSend(messages, "context")[0]?.content).toEqual([text("one"), text("context"), text("steer")]);
});

test("where a mod left no message of the user's, the context is sent as one", () => {
  expect(prepareForSend([], "context")).toEqual([userMessage("context")]);
});

test("what is given is not changed", () => {
  const messages = Object.freeze([userMessage("one"), assistant(call("a"))]);
  prepareForSend(messages, "context");
  expect(messages).toEqual([userMessage("one"), assistant(call("a"))]);
});
