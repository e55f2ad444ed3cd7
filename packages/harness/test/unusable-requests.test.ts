import { createScriptedModel, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createHarness, type Harness, type InboundMessage, type RunRequest } from "../src/index.ts";

const STATE = "it must give an AgentState or a session";

function harness(): { readonly harness: Harness; readonly requests: () => number } {
  const model = createScriptedModel({ steps: [reply("never")] });
  return { harness: createHarness({ model }), requests: () => model.requests.length };
}

test.for([
  [null, "`run` was given null; it must be given an object, or nothing."],
  ["hello", '`run` was given "hello"; it must be given an object, or nothing.'],
  [["hello"], "`run` was given a list; it must be given an object, or nothing."],
  [{ userInput: 5 }, "`userInput` is 5; it must be a text."],
  [{ userinput: "hello" }, "`userinput` is unknown; did you mean `userInput`?"],
  [{ session: {} }, "`session` is an object; it must be a session that a session store created or opened."],
  [{ signal: {} }, "`signal` is an object; it must be an AbortSignal."],
  [{ signal: null }, "`signal` is null; it must be an AbortSignal."],
  [{ parent: {} }, "`parent` is an object; it must be a context of OpenTelemetry."],
] as const)("a turn is refused what it cannot use, and says why: %j", async ([request, problem]) => {
  const { harness: refusing, requests } = harness();
  await expect(refusing.run(request as unknown as RunRequest)).rejects.toMatchObject({
    name: "HarnessError",
    code: "HARNESS_OPTION_INVALID",
    message: `HARNESS_OPTION_INVALID: ${problem}`,
  });
  expect(requests()).toBe(0);
});

test.for([
  [undefined, "`receive` was given undefined; it must be given an object with `text` and `source`."],
  [null, "`receive` was given null; it must be given an object with `text` and `source`."],
  ["hello", '`receive` was given "hello"; it must be given an object with `text` and `source`.'],
  [{}, "`text` is undefined; it must be a text."],
  [{ text: 5, source: "ada" }, "`text` is 5; it must be a text."],
  [{ text: "hello" }, "`source` is undefined; it must be a text."],
  [{ platform: "" }, '`platform` is ""; it must be a text that is not blank.'],
  [{ profile: {} }, "`profile` is an object; it must be a text that is not blank."],
  [{ sessionId: 5 }, "`sessionId` is 5; it must be a text that is not blank."],
  [{ resolve: "s1" }, '`resolve` is "s1"; it must be a function.'],
  [{ headers: "traceparent: 00" }, '`headers` is "traceparent: 00"; it must be an object of header names and texts.'],
  [{ traceParent: "child" }, '`traceParent` is "child"; it must be "link" or "parent".'],
  [{ signal: "now" }, '`signal` is "now"; it must be an AbortSignal.'],
  [{ resolve: (): null => null }, `\`resolve\` gave null; ${STATE}.`],
  [{ resolve: (): string => "s1" }, `\`resolve\` gave "s1"; ${STATE}.`],
  [{ resolve: async () => [] }, `\`resolve\` gave a list; ${STATE}.`],
] as const)("an inbound message that cannot be used is refused, and says why: %j", async ([given, problem]) => {
  const whole = typeof given === "object" && given !== null && Object.keys(given).length > 0;
  const message = whole && !("text" in given) ? { text: "hello", source: "ada", ...given } : given;
  const { harness: refusing, requests } = harness();
  await expect(refusing.receive(message as unknown as InboundMessage)).rejects.toMatchObject({
    name: "HarnessError",
    code: "HARNESS_OPTION_INVALID",
    message: `HARNESS_OPTION_INVALID: ${problem}`,
  });
  expect(requests()).toBe(0);
});

test("a refused turn leaves nothing running: the harness closes at once and runs what it can use before that", async () => {
  const { harness: refusing } = harness();
  await expect(refusing.run(null as unknown as RunRequest)).rejects.toThrow("HARNESS_OPTION_INVALID");
  expect((await refusing.run({ userInput: "hello" })).finalText).toBe("never");
  await refusing.close();
});
