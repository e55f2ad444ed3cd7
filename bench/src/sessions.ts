import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createJsonLinesSessionStore,
  createSqliteSessionStore,
  text,
  userMessage,
  type AgentState,
  type Message,
  type Session,
  type SessionStore,
} from "@hookscope/harness";

import { median, type Measured } from "./measure.ts";
import { timesTable, type Table } from "./report.ts";

/** Rounds a session has when it is measured. The ratios say how the work grows with it. */
const LENGTHS = [125, 500, 2_000, 8_000] as const;
const SAMPLES = 11;
const COMMITS_PER_SAMPLE = 40;
const RESULT_CHARACTERS = 600;

interface SampledCase {
  readonly name: string;
  /** Nanoseconds of one. */
  sample(): Promise<number>;
}

/** How long a commit and a resume take, and how both grow with the session. The disk is not waited for. */
export async function measureSessions(): Promise<readonly Table[]> {
  const directory = await mkdtemp(join(tmpdir(), "hookscope-bench-"));
  const stores = [
    { name: "JSON Lines", store: createJsonLinesSessionStore({ directory, sync: "never" }) },
    { name: "SQLite", store: createSqliteSessionStore({ path: join(directory, "sessions.db"), sync: "never" }) },
  ];
  try {
    const tables: Table[] = [];
    for (const { name, store } of stores) {
      for (const length of LENGTHS) await prepare(store, length);
      tables.push(
        await table(`${name}: committing a round`, (length) => sampleCommits(store, length)),
        await table(`${name}: resuming a session`, (length) => sampleResume(store, length)),
      );
      await store.close();
    }
    return tables;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function table(title: string, sample: (length: number) => Promise<number>): Promise<Table> {
  const cases = LENGTHS.map((length) => ({ name: `${length} rounds`, sample: () => sample(length) }));
  return timesTable(title, await measureInTurns(cases));
}

/** Interleaved, so that what disturbs the machine disturbs all of them. */
async function measureInTurns(cases: readonly SampledCase[]): Promise<readonly Measured[]> {
  const samples: number[][] = [];
  for (let index = 0; index <= SAMPLES; index += 1) {
    const row: number[] = [];
    for (const one of cases) {
      globalThis.gc?.();
      row.push(await one.sample());
    }
    // The first compiles.
    if (index > 0) samples.push(row);
  }
  return cases.map(({ name }, index) => ({
    name,
    nanoseconds: median(samples.map((row) => row[index] as number)),
    ratio: median(samples.map((row) => (row[index] as number) / (row[0] as number))),
  }));
}

async function sampleCommits(store: SessionStore, length: number): Promise<number> {
  const session = await store.fork(idOf(length));
  const nanoseconds = await commitRounds(session, session.state(), COMMITS_PER_SAMPLE);
  await session.close();
  await store.delete(session.id);
  return nanoseconds;
}

async function sampleResume(store: SessionStore, length: number): Promise<number> {
  const start = process.hrtime.bigint();
  const session = await store.open(idOf(length));
  const { messages } = session.state();
  const nanoseconds = Number(process.hrtime.bigint() - start);
  await session.close();
  if (messages.length !== length * MESSAGES_PER_ROUND) throw new Error(`resumed with ${messages.length} messages`);
  return nanoseconds;
}

async function prepare(store: SessionStore, length: number): Promise<void> {
  const session = await store.create({ id: idOf(length) });
  await commitRounds(session, session.state(), length);
  await session.close();
}

/** Gives the nanoseconds of a commit, the median: the first after a resume compares every message, and is not like the others. */
async function commitRounds(session: Session, from: AgentState, count: number): Promise<number> {
  let state = from;
  const durations: number[] = [];
  for (let index = 0; index < count; index += 1) {
    for (const message of round(index)) {
      const messages = [...state.messages, message];
      session.messageAppended(message, { from: state.messages, to: messages });
      state = { ...state, messages, modState: { counter: { rounds: index } } };
    }
    const start = process.hrtime.bigint();
    await session.commit(state);
    durations.push(Number(process.hrtime.bigint() - start));
  }
  return median(durations);
}

const MESSAGES_PER_ROUND = 2;

function round(index: number): readonly Message[] {
  const call = {
    type: "tool_use",
    id: `call_${index}`,
    name: "read_file",
    input: { path: `src/file-${index}.ts` },
  } as const;
  const result = {
    type: "tool_result",
    toolCallId: call.id,
    toolName: call.name,
    content: [text("x".repeat(RESULT_CHARACTERS))],
    isError: false,
  } as const;
  return [
    { role: "assistant", content: [text(`Reading file ${index}.`), call] },
    { ...userMessage("", "tool_results"), content: [result] },
  ];
}

function idOf(length: number): string {
  return `rounds-${length}`;
}
