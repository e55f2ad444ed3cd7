import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createJsonLinesSessionStore, userMessage, type AgentState, type SessionStore } from "@hookscope/harness";
import { collectWarnings, type WarningCollector } from "@hookscope/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { makeDirectory, removeDirectory } from "./places.ts";

describe("a file that ends in the middle of a commit", () => {
  let directory: string;
  let path: string;
  let log: WarningCollector;
  /** By commit: the state it made, and the bytes of the file after it. */
  let commits: readonly { readonly state: AgentState; readonly bytes: number }[];
  let whole: Buffer;

  beforeEach(async () => {
    directory = makeDirectory();
    path = join(directory, "a.jsonl");
    log = collectWarnings();
    const store = openStore();
    const session = await store.create({ id: "a" });
    const made = [{ state: session.state(), bytes: readFileSync(path).length }];
    for (const name of ["one", "zwei — 二 🜚"]) {
      const state = session.state();
      session.modSession("m").appendCustomEntry({ customType: "t", data: name });
      await session.commit({ ...state, messages: [...state.messages, userMessage(name)], modState: { m: name } });
      made.push({ state: session.state(), bytes: readFileSync(path).length });
    }
    await store.close();
    commits = made;
    whole = readFileSync(path);
  });
  afterEach(() => removeDirectory(directory));

  test("resumes from the last whole commit, wherever it was cut", async () => {
    const header = whole.indexOf("\n") + 1;
    for (let length = header; length <= whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      const store = openStore();
      const session = await store.open("a");
      expect(session.state(), `cut at byte ${length}`).toEqual(lastWhole(length).state);
      await store.close();
      expect(readFileSync(path)).toEqual(whole.subarray(0, Math.max(header, lastWhole(length).bytes, 0)));
    }
  });

  test("what is cut is put aside byte for byte, with one warning", async () => {
    const length = whole.length - 3;
    writeFileSync(path, whole.subarray(0, length));
    await openStore().open("a");
    const committed = lastWhole(length).bytes;
    const aside = readdirSync(directory).filter((name) => name.startsWith("a.jsonl.cut-"));
    expect(aside.map((name) => readFileSync(join(directory, name)))).toEqual([whole.subarray(committed, length)]);
    expect(log.warnings.map(({ fields }) => fields)).toEqual([
      { path, bytes: length - committed, movedTo: join(directory, aside[0] ?? "") },
    ]);
  });

  test("a whole file is opened without a warning, and not changed", async () => {
    const store = openStore();
    await store.open("a");
    await store.close();
    expect(readFileSync(path)).toEqual(whole);
    expect(log.warnings).toEqual([]);
    expect(readdirSync(directory)).toEqual(["a.jsonl"]);
  });

  test("reading beside the writer cuts nothing", async () => {
    const cut = whole.subarray(0, whole.length - 1);
    writeFileSync(path, cut);
    const session = await openStore().open("a", { readOnly: true });
    expect(session.state()).toEqual(commits[1]?.state);
    expect(readFileSync(path)).toEqual(cut);
  });

  test("a session that was cut goes on", async () => {
    writeFileSync(path, whole.subarray(0, whole.length - 1));
    const store = openStore();
    const session = await store.open("a");
    const state = session.state();
    const next = { ...state, messages: [...state.messages, userMessage("three")] };
    await session.commit(next);
    await store.close();
    expect((await openStore().open("a")).state()).toEqual(next);
  });

  test("a last commit of which the disk kept the marker and not the rest is cut as well", async () => {
    const torn = Buffer.from(whole);
    torn.fill(0, commits[1]?.bytes, (commits[1]?.bytes ?? 0) + 20);
    writeFileSync(path, torn);
    expect((await openStore().open("a")).state()).toEqual(commits[1]?.state);
  });

  function lastWhole(length: number): { readonly state: AgentState; readonly bytes: number } {
    const found = commits.findLast(({ bytes }) => bytes <= length);
    return found ?? { state: (commits[0] as { readonly state: AgentState }).state, bytes: 0 };
  }

  function openStore(): SessionStore {
    return createJsonLinesSessionStore({ directory, sync: "never", logger: log });
  }
});
