import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { ExportResultCode } from "@opentelemetry/core";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openDatabase } from "../src/store/open-database.ts";
import { SpanWriter } from "../src/store/span-writer.ts";
import { start } from "./support/lifecycle.ts";
import { codeOf, makeTurn, open } from "./support/stores.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "trace-store-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("a store opened again has its turns, and its file is for its owner alone", async () => {
  const path = join(directory, "new", "folder", "traces.db");
  const store = open(path);
  const telemetry = start({ exportSpans: false, localSink: store.exporter });
  await makeTurn("t1");
  await telemetry.shutdown();
  store.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(open(path).lastTurn()?.turn.turnId).toBe("t1");
});

test("two processes write into one file, and both are read", async () => {
  const path = join(directory, "traces.db");
  const store = open(path);
  const writers = ["left", "right"].map((name) =>
    spawn(
      process.execPath,
      [
        "--conditions=@hookscope/source",
        "--no-warnings",
        join(import.meta.dirname, "fixtures/write-turns.ts"),
        path,
        name,
      ],
      { stdio: ["ignore", "inherit", "inherit"] },
    ),
  );
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0] as unknown));
  expect(codes).toEqual([0, 0]);
  const ids = store.turns({ limit: 1_000 }).map((turn) => turn.turnId);
  const expected = ["left", "right"].flatMap((name) => Array.from({ length: 50 }, (_, index) => `${name}-${index}`));
  expect(ids.toSorted()).toEqual(expected.toSorted());
});

test("processes that make the same stores at the same moment all get them", async () => {
  const makers = [1, 2, 3].map(() =>
    fork(join(import.meta.dirname, "fixtures/make-stores.ts"), [directory], {
      execArgv: ["--conditions=@hookscope/source", "--no-warnings"],
    }),
  );
  await Promise.all(makers.map((maker) => once(maker, "message")));
  const failures = makers.map(async (maker) => (await once(maker, "message"))[0] as unknown);
  for (const maker of makers) maker.send("go");
  expect(await Promise.all(failures)).toEqual([[], [], []]);
});

test("while another program holds the file one batch waits for it, the next ones do not; then all is as before", () => {
  const database = openDatabase(join(directory, "traces.db"));
  const waits = (): unknown => database.prepare("PRAGMA busy_timeout").get()?.["timeout"];
  const before = waits();
  database.exec("PRAGMA busy_timeout = 1");
  const other = new DatabaseSync(join(directory, "traces.db"));
  other.exec("BEGIN IMMEDIATE");
  const writer = new SpanWriter(database, 10);
  const results: unknown[] = [];
  const write = (): void => writer.export([], ({ code }) => results.push(code, waits()));
  write();
  write();
  other.exec("ROLLBACK");
  write();
  expect(results).toEqual([ExportResultCode.FAILED, 0, ExportResultCode.FAILED, 0, ExportResultCode.SUCCESS, before]);
  other.close();
  database.close();
});

test("a path that cannot be written is refused, and named", () => {
  const file = join(directory, "file");
  writeFileSync(file, "text");
  expect(codeOf(() => open(join(file, "traces.db")))).toBe("TRACE_STORE_UNWRITABLE");
  mkdirSync(join(directory, "folder"));
  expect(codeOf(() => open(join(directory, "folder")))).toBe("TRACE_STORE_UNWRITABLE");
});

test("where no folder can be made the store is refused at once", () => {
  // In a process of its own, which can be ended: a call that never returns would hold the tests for ever.
  const script = `import { createTraceStore } from "@hookscope/telemetry";
try { createTraceStore({ path: "/proc/nowhere/at/all/traces.db" }); } catch (error) { process.stdout.write(error.code); }`;
  const child = spawnSync(
    process.execPath,
    ["--conditions=@hookscope/source", "--no-warnings", "--input-type=module", "--eval", script],
    { cwd: import.meta.dirname, timeout: 240_000, encoding: "utf8" },
  );
  expect({ signal: child.signal, output: child.stdout }).toEqual({ signal: null, output: "TRACE_STORE_UNWRITABLE" });
});

test("a file that is no database, or another program's, is refused and left as it is", () => {
  const noDatabase = join(directory, "notes.txt");
  writeFileSync(noDatabase, "notes that are long enough to have been a header of a database, were they one");
  const before = readFileSync(noDatabase);
  expect(codeOf(() => open(noDatabase))).toBe("TRACE_STORE_FOREIGN");
  expect(readFileSync(noDatabase)).toEqual(before);

  const foreign = join(directory, "bookmarks.db");
  const database = new DatabaseSync(foreign);
  database.exec("CREATE TABLE bookmarks (url TEXT)");
  database.close();
  const bytes = readFileSync(foreign);
  expect(codeOf(() => open(foreign))).toBe("TRACE_STORE_FOREIGN");
  expect(readFileSync(foreign)).toEqual(bytes);
});

test("a newer version's file is refused", () => {
  const path = join(directory, "traces.db");
  open(path).close();
  const database = new DatabaseSync(path);
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(codeOf(() => open(path))).toBe("TRACE_STORE_TOO_NEW");
});

test("maxTurns that is no positive whole number is refused", () => {
  expect(codeOf(() => open(":memory:", 0))).toBe("TELEMETRY_OPTION_INVALID");
});

test.for([
  { way: "exit", endedBy: "exit", message: "the process exited" },
  { way: "signal", endedBy: "signal", message: "the process got SIGTERM" },
])("process.exit loses nothing of the store: what is left is written in the last moment ($way)", async (row) => {
  const path = join(directory, "traces.db");
  const script = join(import.meta.dirname, "fixtures/write-turns.ts");
  const child = spawn(process.execPath, [
    "--conditions=@hookscope/source",
    "--no-warnings",
    script,
    path,
    "abrupt",
    row.way,
  ]);
  expect((await once(child, "exit"))[0]).toBe(8);
  const store = open(path);
  expect(store.turns({ limit: 100 }).length).toBe(51);
  expect(store.turn("abrupt-open")?.turn.endedBy).toBe(row.endedBy);
  expect(store.turn("abrupt-open")?.spans[0]?.status).toEqual({ code: "ERROR", message: row.message });
});
