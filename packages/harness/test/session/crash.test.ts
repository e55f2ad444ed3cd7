import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { createJsonLinesSessionStore, textOf, type Session, type SessionStore } from "@hookscope/harness";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Child } from "./child.ts";
import { makeDirectory, removeDirectory } from "./places.ts";

const KILLS = 200;
/** A session grows with each; resuming a long one has its own benchmark. */
const KILLS_PER_SESSION = 20;
const SEED = 20_260_801;
const TIME_LIMIT_MS = 600_000;

let directory: string;
let next: Child | undefined;
beforeEach(() => {
  directory = makeDirectory();
});
afterEach(async () => {
  await next?.kill();
  removeDirectory(directory);
});

test(
  `a session whose process is killed at ${KILLS} random moments keeps every committed round, once`,
  { timeout: TIME_LIMIT_MS },
  async () => {
    const random = createRandom(SEED);
    const store = createJsonLinesSessionStore({ directory, sync: "never" });
    const moments = new Map<string, number>();
    let cuts = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const id = `session-${Math.floor(kill / KILLS_PER_SESSION)}`;
      if (kill % KILLS_PER_SESSION === 0) await (await store.create({ id })).close();
      const before = roundsOf(await store.open(id, { readOnly: true }));
      const child = next ?? new Child("run-rounds.ts", directory, id);
      await child.go();
      // The next process loads while this one works.
      const nextId = `session-${Math.floor((kill + 1) / KILLS_PER_SESSION)}`;
      next = kill + 1 < KILLS ? new Child("run-rounds.ts", directory, nextId) : undefined;
      await (kill % 3 === 0 ? untilGrown(child, id, random(400_000)) : untilMoment(child, random(24), random(12)));
      await child.kill();
      const told = child.messages.findLast(({ type }) => type === "committed")?.rounds ?? before;
      const moment = child.messages.at(-1)?.type ?? "none";
      moments.set(moment, (moments.get(moment) ?? 0) + 1);
      cuts += await checkSession(store, id, Math.max(before, told));
    }
    expect([...moments.values()].reduce((sum, count) => sum + count, 0)).toBe(KILLS);
    // Otherwise the moments were not spread, and the test proves less than it says.
    expect([...moments.keys()].toSorted()).toEqual(["committed", "ending", "opened", "ready", "running", "started"]);
    expect(cuts).toBeGreaterThan(0);
  },
);

/** Says 1 where the file ends in something that was not committed. */
async function checkSession(store: SessionStore, id: string, told: number): Promise<number> {
  const size = statSync(join(directory, `${id}.jsonl`)).size;
  const session = await store.open(id, { readOnly: true });
  const rounds = roundsOf(session);
  expect(rounds).toBeGreaterThanOrEqual(told);
  const numbers = Array.from({ length: rounds }, (_, index) => index + 1);
  const { messages, modState } = session.state();
  const texts = messages.filter(({ role }) => role === "assistant").map(({ content }) => textOf(content));
  expect(texts).toEqual(numbers.map((number) => `round ${number}`));
  const notes = messages.filter((message) => message.role === "user" && message.source === "custom");
  expect(notes.map(({ content }) => textOf(content))).toEqual(
    numbers.filter((number) => number % 4 === 0).map((number) => `note ${number}`),
  );
  expect(
    session
      .modSession("counter")
      .getCustomEntries({ customType: "round" })
      .map(({ data }) => data),
  ).toEqual(numbers);
  expect(modState).toEqual(rounds === 0 ? {} : { counter: { rounds } });
  expect(resultsAndCalls(session)).toEqual([]);
  // Opened for writing, the file is mended; a reader must see the same before and after.
  const writer = await createJsonLinesSessionStore({ directory, logger: { warn: () => undefined } }).open(id);
  expect(writer.entries()).toEqual(session.entries());
  await writer.close();
  return statSync(join(directory, `${id}.jsonl`)).size < size ? 1 : 0;
}

/** Tool calls without a result in the same commit; none, since a round is committed as a whole. */
function resultsAndCalls(session: Session): readonly string[] {
  const open = new Set<string>();
  for (const { content } of session.state().messages) {
    for (const block of content) {
      if (block.type === "tool_use") open.add(block.id);
      if (block.type === "tool_result") open.delete(block.toolCallId);
    }
  }
  return [...open];
}

function roundsOf(session: Session): number {
  return session.entries().filter((entry) => entry.type === "message" && entry.message.role === "assistant").length;
}

/** After so many messages of the child, and so many turns of this process's event loop. */
async function untilMoment(child: Child, messages: number, turns: number): Promise<void> {
  await child.message(messages);
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}

/** Until the file has so many bytes more. */
async function untilGrown(child: Child, id: string, bytes: number): Promise<void> {
  const path = join(directory, `${id}.jsonl`);
  const target = statSync(path).size + bytes;
  while (statSync(path).size < target && !child.hasExited) await setImmediate();
}

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return (value >>> 8) % below;
  };
}
