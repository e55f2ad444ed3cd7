import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { createJsonLinesSessionStore, textOf, type Session, type SessionStore } from "@hookscope/harness";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Child, type Order } from "./child.ts";
import { makeDirectory, removeDirectory } from "./places.ts";

const KILLS = 200;
/** A session grows with each; resuming a long one has its own benchmark. */
const KILLS_PER_SESSION = 20;
/** Messages of the fixture, of which one is told at each moment of a round. */
const MOMENTS = 24;
/** Some rounds' worth. */
const MAX_BYTES = 150_000;
const SEED = 20_260_801;
/** For what hangs, not for what is slow: it starts hundreds of processes. */
const TIME_LIMIT_MS = 3_600_000;

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
      const size = sizeOf(id);
      const child = next ?? new Child("run-rounds.ts", directory, id);
      const order = orderOf(kill, random);
      if (order.standStillAfter !== 1) await child.go(order);
      // The next process loads while this one works.
      const nextId = `session-${Math.floor((kill + 1) / KILLS_PER_SESSION)}`;
      next = kill + 1 < KILLS ? new Child("run-rounds.ts", directory, nextId) : undefined;
      await meetEnd(child, order, random);
      // A process that dies at a byte has written that byte and nothing after it.
      expect(order.dieAfterBytes === undefined ? undefined : sizeOf(id) - size).toBe(order.dieAfterBytes);
      const told = child.messages.findLast(({ type }) => type === "committed")?.rounds ?? before;
      const moment = child.messages.at(-1)?.type ?? "none";
      moments.set(moment, (moments.get(moment) ?? 0) + 1);
      cuts += (await checkSession(store, id, Math.max(before, told))) ? 1 : 0;
    }
    expect([...moments.values()].reduce((sum, count) => sum + count, 0)).toBe(KILLS);
    // Otherwise the moments were not spread, and the test proves less than it says.
    expect([...moments.keys()].toSorted()).toEqual(["committed", "ending", "opened", "ready", "running", "started"]);
    expect(cuts).toBeGreaterThan(KILLS / 10);
  },
);

/** Half of the kills are at a moment of this process's; a quarter each at a moment and at a byte of the other's. */
function orderOf(kill: number, random: (below: number) => number): Order {
  if (kill % 4 === 1) return { standStillAfter: random(MOMENTS) + 1 };
  return kill % 4 === 3 ? { dieAfterBytes: random(MAX_BYTES) + 1 } : {};
}

/** Says whether the file ended in something that was not committed. */
async function checkSession(store: SessionStore, id: string, told: number): Promise<boolean> {
  const size = sizeOf(id);
  const isTorn = !endsInMarker(id);
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
  expect(sizeOf(id) < size).toBe(isTorn);
  return isTorn;
}

function sizeOf(id: string): number {
  return statSync(join(directory, `${id}.jsonl`)).size;
}

function endsInMarker(id: string): boolean {
  const lines = readFileSync(join(directory, `${id}.jsonl`), "utf8").split("\n");
  return lines.at(-1) === "" && /^\{"type":"commit",.*\}$/u.test(lines.at(-2) ?? "");
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

async function meetEnd(child: Child, order: Order, random: (below: number) => number): Promise<void> {
  if (order.dieAfterBytes !== undefined) return child.exited();
  await untilMoment(child, order.standStillAfter ?? random(MOMENTS) + 1, random(12));
  await child.kill();
}

/** After so many messages of the child, and so many turns of this process's event loop. */
async function untilMoment(child: Child, messages: number, turns: number): Promise<void> {
  await child.message(messages - 1);
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return (value >>> 8) % below;
  };
}
