import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import {
  createJsonLinesSessionStore,
  createSqliteSessionStore,
  userMessage,
  type SessionStore,
} from "@hookscope/harness";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Child } from "./child.ts";
import { makeDirectory, removeDirectory } from "./places.ts";

let directory: string;
let children: Child[];
beforeEach(() => {
  directory = makeDirectory();
  children = [];
});
afterEach(async () => {
  for (const child of children) await child.kill();
  removeDirectory(directory);
});

interface Kind {
  readonly name: string;
  readonly open: () => SessionStore;
  readonly writeLock: (lock: string) => void;
}

const KINDS: readonly Kind[] = [
  {
    name: "json-lines",
    open: () => createJsonLinesSessionStore({ directory }),
    writeLock: (lock) => writeFileSync(join(directory, "a.jsonl.lock"), lock),
  },
  {
    name: "sqlite",
    open: () => createSqliteSessionStore({ path: join(directory, "sessions.db") }),
    writeLock(lock) {
      const database = new DatabaseSync(join(directory, "sessions.db"));
      database.prepare("UPDATE sessions SET holder = ?").run(lock);
      database.close();
    },
  },
];

describe.for(KINDS)("a session in $name", ({ name, open, writeLock }) => {
  test("that another process has open is refused, and the error names the process", async () => {
    const store = await withSession(open);
    const child = await holder(name);
    expect(await child.message(1)).toEqual({ type: "opened" });
    await expect(store.open("a")).rejects.toMatchObject({
      code: "SESSION_LOCKED",
      message: expect.stringContaining(`in process ${child.pid}.`),
    });
    await child.go();
    await child.exited();
    const session = await store.open("a");
    expect(session.entries().length).toBe(1);
    await store.close();
  });

  test("whose process was killed opens at once", async () => {
    const store = await withSession(open);
    const child = await holder(name);
    expect(await child.message(1)).toEqual({ type: "opened" });
    await child.kill();
    expect((await store.open("a")).entries().length).toBe(1);
    await store.close();
  });

  test("opens where its process is gone and another has its number", async () => {
    const store = await withSession(open);
    writeLock(lockOf({ pid: process.pid, started: "long ago" }));
    expect((await store.open("a")).entries().length).toBe(1);
    await store.close();
  });

  test("that a process of another machine has open is refused", async () => {
    const store = await withSession(open);
    writeLock(lockOf({ host: `not-${hostname()}` }));
    await expect(store.open("a")).rejects.toMatchObject({
      code: "SESSION_LOCKED",
      message: expect.stringContaining(`on not-${hostname()}`),
    });
    await store.close();
  });

  test.for([
    ["of a process that was killed", (): void => writeLock(lockOf({ pid: 2 ** 22 + 1 }))],
    ["that nobody has open", (): void => undefined],
  ] as const)("%s goes to one of several that want it at the same moment", async ([, prepare]) => {
    const store = await withSession(open);
    prepare();
    const rivals = await Promise.all(Array.from({ length: 4 }, () => holder(name, false)));
    await Promise.all(rivals.map((rival) => rival.go()));
    const answers = await Promise.all(rivals.map((rival) => rival.message(1)));
    expect(answers.map((answer) => String(answer?.code ?? answer?.type)).toSorted()).toEqual([
      "SESSION_LOCKED",
      "SESSION_LOCKED",
      "SESSION_LOCKED",
      "opened",
    ]);
    await store.close();
  });

  test("whose lock was taken away writes nothing more", async () => {
    const store = await withSession(open);
    const session = await store.open("a");
    writeLock(lockOf({ token: "somebody else's" }));
    const state = session.state();
    await expect(session.commit({ ...state, messages: [...state.messages, userMessage("two")] })).rejects.toMatchObject(
      { code: "SESSION_LOCKED" },
    );
    await store.close();
    expect((await open().open("a", { readOnly: true })).entries().length).toBe(1);
  });
});

test("a file that is reached over a link has one writer all the same", async () => {
  const [kind] = KINDS as readonly [Kind];
  const store = await withSession(kind.open);
  const session = await store.open("a");
  const linked = join(directory, "linked");
  mkdirSync(linked);
  symlinkSync(join(directory, "a.jsonl"), join(linked, "a.jsonl"));
  const other = createJsonLinesSessionStore({ directory: linked });
  await expect(other.open("a")).rejects.toMatchObject({ code: "SESSION_LOCKED" });
  await expect(other.delete("a")).rejects.toMatchObject({ code: "SESSION_LOCKED" });
  await session.close();
  await (await other.open("a")).close();
  expect(readdirSync(linked)).toEqual(["a.jsonl"]);
});

test("a turn cannot begin while the session moves to another branch", async () => {
  const [kind] = KINDS as readonly [Kind];
  const store = await withSession(kind.open);
  const session = await store.open("a");
  const branching = session.branch(null);
  await Promise.resolve();
  expect(() => session.beginTurn()).toThrow("SESSION_BUSY");
  await branching;
  session.beginTurn()();
  await store.close();
});

describe("a lock file", () => {
  test("that says nothing readable is refused, with what to do", async () => {
    const [kind] = KINDS as readonly [Kind];
    const store = await withSession(kind.open);
    kind.writeLock("");
    await expect(store.open("a")).rejects.toMatchObject({
      code: "SESSION_LOCKED",
      message: expect.stringContaining("Remove it if no process has the session open."),
    });
    expect(readFileSync(join(directory, "a.jsonl.lock"), "utf8")).toBe("");
  });

  test("is gone once the session is closed, and nothing else is left", async () => {
    const [kind] = KINDS as readonly [Kind];
    const store = await withSession(kind.open);
    await store.open("a");
    expect(readdirSync(directory).toSorted()).toEqual(["a.jsonl", "a.jsonl.lock"]);
    await store.close();
    expect(readdirSync(directory)).toEqual(["a.jsonl"]);
  });
});

/** A store with a closed session `a` of one message. */
async function withSession(open: () => SessionStore): Promise<SessionStore> {
  const store = open();
  const session = await store.create({ id: "a" });
  await session.commit({ ...session.state(), messages: [userMessage("one")] });
  await session.close();
  return store;
}

async function holder(kind: string, opens = true): Promise<Child> {
  const child = new Child("open-session.ts", kind, directory, "a");
  children.push(child);
  if (opens) await child.go();
  return child;
}

function lockOf(given: object): string {
  return JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now(), token: "t", ...given });
}
