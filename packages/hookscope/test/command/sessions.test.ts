import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createJsonLinesSessionStore, userMessage, type SessionEntry } from "@hookscope/harness";
import type { TurnDocument } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { runCommand } from "../fixtures/command.ts";
import { inWorkspace, type Workspace } from "../fixtures/workspace.ts";

interface Shown {
  readonly id: string;
  readonly leaf: string;
  readonly entries: readonly SessionEntry[];
}

async function show({ hookscope }: Workspace, id: string): Promise<Shown> {
  return JSON.parse((await hookscope(["sessions", "show", id, "--json"])).output) as Shown;
}

const rolesOf = ({ entries }: Shown): readonly string[] =>
  entries.flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []));

async function folderOf({ home }: Workspace): Promise<string> {
  const [folder = ""] = await readdir(join(home, "state", "sessions"));
  return join(home, "state", "sessions", folder);
}

test("run --session begins a session, and goes on with it in another process", async () => {
  await inWorkspace(async (workspace) => {
    const first = await workspace.run("--session", "s-1");
    expect(first.output).toMatch(/\nSession s-1: hookscope run --session s-1 goes on with it\.\n$/);
    await workspace.run("--session", "s-1");
    expect(rolesOf(await show(workspace, "s-1"))).toEqual(["user", "assistant", "user", "assistant"]);
    const listed = await workspace.hookscope(["sessions", "list", "--json"]);
    expect(JSON.parse(listed.output)).toMatchObject([{ id: "s-1", messages: 4, cwd: workspace.directory }]);
  });
});

test("without --session each run is a session of its own; with --no-session nothing is kept", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run();
    const { output } = await workspace.run("--no-session");
    expect(output).not.toContain("goes on with it");
    const sessions = JSON.parse((await workspace.hookscope(["sessions", "list", "--json"])).output) as unknown[];
    expect(sessions.length).toBe(1);
  });
});

test("a subagent's session is listed below the one it was started from, and can be read", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const store = createJsonLinesSessionStore({ directory: await folderOf(workspace) });
    const parent = await store.open("s-1");
    const child = await parent.createChild({ id: "s-1-a", turnId: "t", toolCallId: "c", type: "explorer" });
    await child.commit({ ...child.state(), messages: [userMessage("look around")] });
    await store.close();
    const { output } = await workspace.hookscope(["sessions", "list"]);
    expect(output.split("\n").map((line) => line.slice(19).trim().replaceAll(/ +/g, " "))).toEqual([
      "session messages title",
      "s-1 2",
      "s-1-a 1 ↳ explorer",
      "",
    ]);
    expect(rolesOf(await show(workspace, "s-1-a"))).toEqual(["user"]);
  });
});

test("sessions are those of the working directory", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const folders = await readdir(join(workspace.home, "state", "sessions"));
    expect(folders.map((name) => name.replace(/-[0-9a-f]{12}$/, ""))).toEqual(["project"]);
    const elsewhere = await runCommand(["sessions", "list", "--json"], workspace.home, {}, workspace.home);
    expect(elsewhere.output).toBe("[]\n");
  });
});

test("run --branch goes on after an earlier entry; what came after it stays in the tree", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const { leaf, entries } = await show(workspace, "s-1");
    await workspace.run("--session", "s-1");
    await workspace.run("--session", "s-1", "--branch", leaf);
    const after = await show(workspace, "s-1");
    expect(rolesOf(after)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(after.entries.slice(0, entries.length)).toEqual(entries);
    const all = JSON.parse((await workspace.hookscope(["sessions", "export", "s-1", "--json"])).output) as {
      readonly entries: readonly SessionEntry[];
    };
    expect(all.entries.filter(({ type }) => type === "message").length).toBe(6);
  });
});

test("sessions branch makes an earlier entry the end, or a new session with a copy up to it", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const { entries } = await show(workspace, "s-1");
    const [question] = entries;
    const copied = await workspace.hookscope([
      "sessions",
      "branch",
      "s-1",
      question?.id ?? "",
      "--new",
      "s-2",
      "--json",
    ]);
    expect(JSON.parse(copied.output)).toEqual({ id: "s-2", leaf: question?.id, entries: 1 });
    expect((await show(workspace, "s-1")).entries).toEqual(entries);
    const moved = await workspace.hookscope(["sessions", "branch", "s-1", question?.id ?? ""]);
    expect(moved.output).toBe(`Session s-1 goes on after entry ${question?.id} (1 entry).\n`);
    expect((await show(workspace, "s-1")).entries).toEqual([question]);
  });
});

test("sessions export prints Markdown to be read", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const { output } = await workspace.hookscope(["sessions", "export", "s-1"]);
    expect(output.split("\n").filter((line) => /^(?:hello|Well, hello\.)$/.test(line))).toEqual([
      "hello",
      "Well, hello.",
    ]);
  });
});

test("sessions list and show fit a terminal", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const list = await workspace.hookscope(["sessions", "list", "--width", "90"]);
    expect(list.output.split("\n")[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}s-1 {34} {8}2/);
    const shown = await workspace.hookscope(["sessions", "show", "s-1", "--width", "90"]);
    expect(shown.output.split("\n").map((line) => line.replace(/^ {2}\w+ +[-\d]+ [:\d]+ +/, ""))).toEqual([
      "Session s-1: no title",
      "user          hello",
      "assistant     Well, hello.",
      "",
    ]);
  });
});

test("at 64 columns a long text gives way, not who said it", async () => {
  await inWorkspace(async ({ run, hookscope }) => {
    await run("--session", "s-1");
    const { output } = await hookscope(["sessions", "show", "s-1", "--width", "64"]);
    expect(output.split("\n").map((line) => line.replace(/^ {2}\w+ +[-\d]+ [:\d]+ +/, ""))).toEqual([
      "Session s-1: no title",
      "user          hello",
      "assistant     Well,…ello.",
      "",
    ]);
  });
});

test("with titles = true the list shows what each session is about", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ "my.toml": "[sessions]\ntitles = true\ncompact_above_tokens = 50000\n" });
    await workspace.run("--session", "s-1", "--config", "my.toml");
    const { output } = await workspace.hookscope(["sessions", "list", "--json"]);
    expect(JSON.parse(output)).toMatchObject([{ id: "s-1", title: "Well, hello" }]);
    const turn = JSON.parse((await workspace.hookscope(["timeline", "--json"])).output) as TurnDocument;
    const ofMods = turn.invocations.filter(({ kind }) => kind === "mod").map(({ point, hook }) => `${point} ${hook}`);
    expect(ofMods).toEqual([
      "onTurnStart titling",
      "transformContext compaction",
      "onTurnEnd compaction",
      "onTurnEnd titling",
    ]);
  });
});

test("an empty folder has no sessions, and says so", async () => {
  await inWorkspace(async ({ hookscope }) => {
    expect((await hookscope(["sessions", "list"])).output).toBe(
      "This folder has no sessions yet. `hookscope run` records one.\n",
    );
  });
});

test("a session that another process has open is refused, and can still be read", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const store = createJsonLinesSessionStore({ directory: await folderOf(workspace) });
    await store.open("s-1");
    const { exitCode, output, errors } = await workspace.run("--session", "s-1");
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: "" });
    expect(errors).toMatch(/^hookscope: SESSION_LOCKED: [^\n]+\n$/);
    expect(rolesOf(await show(workspace, "s-1"))).toEqual(["user", "assistant"]);
    await store.close();
  });
});

test.for([
  [["sessions", "show", "nothing"], "SESSION_NOT_FOUND"],
  [["sessions", "export", "nothing"], "SESSION_NOT_FOUND"],
  [["sessions", "branch", "nothing", "entry"], "SESSION_NOT_FOUND"],
] as const)("hookscope %s says in one line that there is none", async ([args, code]) => {
  await inWorkspace(async ({ hookscope }) => {
    const { exitCode, output, errors } = await hookscope(args);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: "" });
    expect(errors).toMatch(new RegExp(`^hookscope: ${code}: [^\\n]+\\n$`));
  });
});

test("--branch of a session or entry that is not there starts nothing", async () => {
  await inWorkspace(async ({ run, hookscope }) => {
    const codeOf = (errors: string): string | undefined => /^hookscope: (\w+): [^\n]+\n$/.exec(errors)?.[1];
    expect(codeOf((await run("--branch", "x")).errors)).toBe("COMMAND_ARGUMENT_MISSING");
    expect(codeOf((await run("--session", "s-1", "--branch", "x")).errors)).toBe("SESSION_NOT_FOUND");
    await run("--session", "s-1");
    expect(codeOf((await run("--session", "s-1", "--branch", "x")).errors)).toBe("SESSION_ENTRY_UNKNOWN");
    expect(JSON.parse((await hookscope(["sessions", "list", "--json"])).output)).toMatchObject([{ messages: 2 }]);
  });
});

test("a session of a newer version is left as it is; the list says why it cannot be opened", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.run("--session", "s-1");
    const path = join(await folderOf(workspace), "s-1.jsonl");
    const newer = (await readFile(path, "utf8")).replace('"version":1', '"version":99');
    await writeFile(path, newer);
    const { errors } = await workspace.run("--session", "s-1");
    expect(errors).toMatch(/^hookscope: SESSION_VERSION_NEWER: [^\n]+\n$/);
    expect(await readFile(path, "utf8")).toBe(newer);
    const { exitCode, output } = await workspace.hookscope(["sessions", "list"]);
    expect(exitCode).toBe(0);
    expect(output.split("\n").slice(1, 3)).toEqual([
      expect.stringMatching(/^ {21}s-1 {35}CANNOT BE OPENED$/),
      expect.stringMatching(/^ {2}SESSION_VERSION_NEWER:/),
    ]);
  });
});

test("where sessions cannot be written, run says what to do", async () => {
  await inWorkspace(async ({ hookscope, modelUrl }) => {
    const args = ["run", "hello", "--model", "local:small", "--base-url", modelUrl];
    const { exitCode, errors } = await hookscope(args, { HOOKSCOPE_HOME: "/proc/nowhere" });
    expect(exitCode).toBe(1);
    expect(errors.trimEnd().split("\n").at(-1)).toMatch(
      /^hookscope: SESSION_NOT_WRITABLE: .+ Set HOOKSCOPE_HOME to a folder that can be, or give --no-session\.$/,
    );
  });
});
