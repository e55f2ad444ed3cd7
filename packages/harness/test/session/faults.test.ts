import { readdirSync } from "node:fs";
import { open } from "node:fs/promises";

import { createJsonLinesSessionStore, userMessage, type Session, type SessionStore } from "@hookscope/harness";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { makeDirectory, removeDirectory } from "./places.ts";

type Write = (bytes: Uint8Array, offset: number, length: number, position: number) => Promise<unknown>;

/** What every open file does. */
interface Handles {
  write: Write;
  truncate: () => Promise<void>;
  datasync: () => Promise<void>;
  sync: () => Promise<void>;
}

let directory: string;
let handles: Handles;
let store: SessionStore;
let session: Session;
const warn = vi.fn<(message: string) => void>();
beforeEach(async () => {
  directory = makeDirectory();
  const handle = await open(import.meta.filename);
  handles = Object.getPrototypeOf(handle) as Handles;
  await handle.close();
  store = createJsonLinesSessionStore({ directory, logger: { warn } });
  session = await store.create({ id: "a" });
  await add("one");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  removeDirectory(directory);
});

/*
 * The disk is a real one; what it refuses is not, since a disk cannot be had to fail at one operation and not at the next.
 * A write that fails may have written any part of its bytes.
 */
describe("a commit that the disk refuses", () => {
  test.for([0, 1, 60, 300, 100_000])("after %i bytes is not there, and all of it is with the next", async (bytes) => {
    failOnce("write", (length) => Math.min(length, bytes));
    expect(await tryTwice()).toEqual(REFUSED_THEN_WHOLE);
  });

  test("where it is to be made durable is not there, and all of it is with the next", async () => {
    failOnce("datasync");
    expect(await tryTwice()).toEqual(REFUSED_THEN_WHOLE);
  });

  test("and cannot be taken back either is not there: the next one takes it back", async () => {
    failOnce("write", (length) => length - 1);
    failOnce("truncate");
    expect(await tryTwice()).toEqual(REFUSED_THEN_WHOLE);
  });
});

test("a session whose name cannot be made durable is not there, and its id is free", async () => {
  const { sync } = handles;
  // The first is of the file itself.
  vi.spyOn(handles, "sync").mockImplementationOnce(function whole(this: unknown) {
    return sync.call(this);
  });
  failOnce("sync");
  await expect(store.create({ id: "b" })).rejects.toMatchObject({ code: "SESSION_NOT_WRITABLE" });
  expect(readdirSync(directory).toSorted()).toEqual(["a.jsonl", "a.jsonl.lock"]);
  await store.create({ id: "b" });
});

/** @param written of a write: how many of so many bytes are in the file all the same */
function failOnce(operation: keyof Handles, written: (length: number) => number = () => 0): void {
  const { write } = handles;
  vi.spyOn(handles, operation).mockImplementationOnce(async function fail(this: unknown, ...given: unknown[]) {
    if (operation === "write") {
      const [bytes, offset, length, position] = given as Parameters<Write>;
      await write.call(this, bytes, offset, written(length), position);
    }
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
}

const REFUSED_THEN_WHOLE = {
  refusal: "SESSION_NOT_WRITABLE",
  afterwards: ["one"],
  afterTheNext: ["one", "two", "three"],
  warnings: [],
};

/** What comes of a commit, and of one more. */
async function tryTwice(): Promise<object> {
  const refusal = await add("two").then(
    () => "none",
    (error: { readonly code: string }) => error.code,
  );
  const afterwards = await committed();
  await add("three");
  const afterTheNext = await committed();
  await session.close();
  await (await store.open("a")).close();
  return { refusal, afterwards, afterTheNext, warnings: warn.mock.calls };
}

/** One entry in each commit. */
function add(name: string): Promise<void> {
  session.modSession("m").appendCustomEntry({ customType: "t", data: name });
  const state = session.state();
  return session.commit({ ...state, messages: [...state.messages, userMessage(name)] });
}

/** As another process would see it now. */
async function committed(): Promise<readonly unknown[]> {
  const reader = await store.open("a", { readOnly: true });
  return reader
    .modSession("m")
    .getCustomEntries({ customType: "t" })
    .map(({ data }) => data);
}
