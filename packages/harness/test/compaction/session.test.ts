import { reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createMemorySessionStore, text, textOf, userMessage, type Session } from "../../src/index.ts";
import { createRig, type Rig, type RigOptions } from "../support/rig.ts";

const store = createMemorySessionStore();

async function longSession(): Promise<Session> {
  const session = await store.create();
  const filler = "x".repeat(382);
  const messages = [1, 2, 3].flatMap((number) => [
    userMessage(`q${number}${filler}`),
    { role: "assistant" as const, content: [text(`a${number}${filler}`)] },
  ]);
  await session.commit({ ...session.state(), messages });
  return session;
}

function rigWith(session: Session, options: RigOptions): Rig {
  return createRig({ watchMods: false, watch: ["api_request_error"], session, ...options });
}

const starts = (session: Session): readonly string[] =>
  session.state().messages.map(({ content }) => textOf(content).slice(0, 2));

test("a compaction is an entry of the session, written with its round; a resumed session begins with the notes", async () => {
  const session = await longSession();
  const rig = rigWith(session, {
    compaction: { thresholdTokens: 500, keepTokens: 150 },
    scripts: [
      { when: ({ system }) => system?.startsWith("You write the notes") === true, steps: [reply("They talked.")] },
    ],
    steps: [reply("fine"), reply("good")],
  });
  await rig.run("hi");
  expect(session.branchEntries().map(({ type }) => type)).toEqual([
    ...Array.from({ length: 6 }, () => "message"),
    "message",
    "compaction",
    "message",
    "mod_state",
  ]);
  expect(starts(session)).toEqual(["No", "a3", "hi", "fi"]);
  await rig.run("on");
  expect(rig.model.requests.at(-1)?.messages.map(({ content }) => textOf(content).slice(0, 2))).toEqual([
    "No",
    "a3",
    "hi",
    "fi",
    "on",
  ]);
  expect(starts(session)).toEqual(["No", "a3", "hi", "fi", "on", "go"]);
});

test("a title is the session's", async () => {
  const session = await store.create();
  const rig = rigWith(session, {
    titling: {},
    scripts: [{ when: ({ system }) => system?.startsWith("You name") === true, steps: [reply("Greetings")] }],
    steps: [reply("fine")],
  });
  await rig.run("hi");
  expect(session.title).toBe("Greetings");
  expect((await store.list()).find(({ id }) => id === session.id)?.title).toBe("Greetings");
});
