import { textOf, toolCallsOf, type Session, type SessionEntry, type SessionStore } from "@hookscope/harness";

import { readConfig, type ConfigFlags } from "../config/config.ts";
import { EXIT } from "../errors.ts";
import { inFamilies, type FamilyMember } from "../session-families.ts";
import { openSessionStore } from "../sessions.ts";
import {
  wantsColour,
  widthOf,
  writeJson,
  writeLines,
  writeText,
  type OutputFlags,
  type Terminal,
} from "../terminal.ts";
import { createPaint, type Paint } from "../timeline/paint.ts";
import { count } from "../timeline/format.ts";
import { fit, fitRight, printable, shorten, wrap } from "../timeline/text.ts";

export type SessionFlags = OutputFlags & ConfigFlags;

export interface ExportFlags extends SessionFlags {
  readonly format?: "json" | "markdown";
}

export interface BranchFlags extends SessionFlags {
  /** `--new [id]`: true where no id was given. */
  readonly new?: string | boolean;
}

/** The sessions of the working directory, the last used first, each with those of its subagents below it. */
export async function listSessions(terminal: Terminal, flags: SessionFlags): Promise<number> {
  return withStore(terminal, flags, async (store) => {
    const sessions = await store.list();
    const { output } = terminal;
    if (flags.json === true) return writeJson(output, sessions);
    if (sessions.length === 0)
      return writeText(terminal, flags, "This folder has no sessions yet. `hookscope run` records one.");
    const width = widthOf(output, terminal, flags);
    const paint = createPaint(wantsColour(output, terminal, flags));
    const head = `${fit("last used (UTC)", 19)}  ${fit("session", ID)}  ${fitRight("messages", 8)}  title`;
    writeLines(output, [
      ...(width < TABLE_WIDTH ? [] : [paint("quiet", shorten(head, width))]),
      ...inFamilies(sessions).flatMap((member) => summaryLines(member, width, paint)),
    ]);
  });
}

/** What a session holds: the entries of its active branch, with the ids that `--branch` takes. */
export async function showSession(terminal: Terminal, id: string, flags: SessionFlags): Promise<number> {
  return withSession(terminal, id, flags, (session) => {
    const { output } = terminal;
    const entries = session.branchEntries();
    if (flags.json === true) {
      const { header, title = null, leaf } = session;
      return writeJson(output, { ...header, title, leaf, entries });
    }
    const width = widthOf(output, terminal, flags);
    const paint = createPaint(wantsColour(output, terminal, flags));
    const others = session.entries().length - entries.length;
    writeLines(output, [
      paint("strong", shorten(printable(`Session ${session.id}: ${session.title ?? "no title"}`), width)),
      ...entries.flatMap((entry) => entryLines(entry, width)),
      ...(others === 0 ? [] : wrap(othersText(others), width, Infinity).map((line) => paint("quiet", line))),
    ]);
  });
}

/** Makes the branch that ends with an entry the active one, or a new session of it. */
export async function branchSession(
  terminal: Terminal,
  id: string,
  entry: string,
  flags: BranchFlags,
): Promise<number> {
  return withStore(terminal, flags, async (store) => {
    const copy = flags.new !== undefined && flags.new !== false;
    const session = copy
      ? await store.fork(id, { from: entry, ...(typeof flags.new === "string" ? { id: flags.new } : {}) })
      : await store.open(id);
    if (!copy) await session.branch(entry);
    const { length } = session.branchEntries();
    if (flags.json === true) return writeJson(terminal.output, { id: session.id, leaf: session.leaf, entries: length });
    writeLines(terminal.output, [
      `Session ${printable(session.id)} goes on after entry ${session.leaf ?? "none"} (${count(length, "entry", "entries")}).`,
    ]);
  });
}

export async function exportSession(terminal: Terminal, id: string, flags: ExportFlags): Promise<number> {
  return withSession(terminal, id, flags, (session) => {
    const text = session.export(flags.json === true ? "json" : (flags.format ?? "markdown"));
    const lines = text.replace(/\n$/, "").split("\n");
    // A file gets every character as it is; a terminal must not be drawn on.
    writeLines(terminal.output, terminal.output.isTTY === true ? lines.map(printable) : lines);
  });
}

async function withStore(
  terminal: Terminal,
  flags: SessionFlags,
  work: (store: SessionStore) => Promise<void> | void,
): Promise<number> {
  const config = await readConfig(terminal, flags);
  const logger = { warn: (message: string) => void terminal.errors.write(`hookscope: ${printable(message)}\n`) };
  const store = openSessionStore(config, terminal.workingDirectory, logger);
  try {
    await work(store);
    return EXIT.done;
  } finally {
    await store.close();
  }
}

/** Beside a process that has it open: it is only read. */
function withSession(
  terminal: Terminal,
  id: string,
  flags: SessionFlags,
  work: (session: Session) => void,
): Promise<number> {
  return withStore(terminal, flags, async (store) => work(await store.open(id, { readOnly: true })));
}

function othersText(others: number): string {
  return `${count(others, "entry", "entries")} on other branches: --json of \`sessions export\` has them`;
}

/** A session's id is a UUID where nobody named it, and must be read whole. */
const ID = 36;
const TABLE_WIDTH = 19 + 2 + ID + 2 + 8;

function summaryLines({ session, depth }: FamilyMember, width: number, paint: Paint): readonly string[] {
  const { id, updatedAt, messages, problem, subagentOf } = session;
  const subagent = subagentOf === undefined ? "" : `${"  ".repeat(Math.max(0, depth - 1))}↳ ${subagentOf.type} `;
  const title = `${subagent}${session.title ?? ""}`;
  const name = printable(id);
  const isTable = width >= TABLE_WIDTH;
  if (problem !== undefined) {
    const head = isTable ? `${fit("", 19)}  ${fit(name, ID)}  CANNOT BE OPENED` : `${name}  CANNOT BE OPENED`;
    const why = wrap(printable(problem), width - 2, Infinity);
    return [paint("bad", shorten(head, width)), ...why.map((line) => `  ${line}`)];
  }
  if (isTable)
    return [withText(`${time(updatedAt)}  ${fit(name, ID)}  ${fitRight(String(messages), 8)}  `, title, width)];
  return [
    shorten(name, width),
    `  ${time(updatedAt)}, ${count(messages, "message")}`,
    ...(title === "" ? [] : [withText("  ", title, width)]),
  ];
}

/** Columns below which an entry's text stands on a line of its own. */
const ENTRY_TABLE_WIDTH = 60;

function entryLines(entry: SessionEntry, width: number): readonly string[] {
  const head = `  ${fit(entry.id, 14)}  ${time(entry.timestamp)}`;
  const text = textOfEntry(entry);
  if (width >= ENTRY_TABLE_WIDTH) return [withText(`${head}  ${fit(kindOf(entry), 12)}  `, text, width)];
  return [head, withText(`    ${kindOf(entry)}: `, text, width)];
}

/** The text is what gives way: ids and kinds are to be read, and typed. */
function withText(head: string, text: string, width: number): string {
  const short = shorten(printable(text), width - head.length);
  return shorten(`${head}${short}`.trimEnd(), width);
}

function kindOf(entry: SessionEntry): string {
  return entry.type === "message" ? entry.message.role : entry.type;
}

function textOfEntry(entry: SessionEntry): string {
  switch (entry.type) {
    case "message":
      return messageText(entry.message);
    case "custom":
      return `${entry.modId} ${entry.customType}`;
    case "custom_message":
      return entry.content;
    case "compaction":
      return entry.summary;
    case "mod_state":
      return entry.modId;
    case "reply":
      return entry.text;
    case "session_info":
      return entry.title;
    case "state":
      return count(entry.messages.length, "message");
  }
}

function messageText(message: Extract<SessionEntry, { readonly type: "message" }>["message"]): string {
  const text = textOf(message.content);
  if (message.role === "user") {
    const results = message.content.filter(({ type }) => type === "tool_result").length;
    return text === "" ? count(results, "tool result") : text;
  }
  const calls = toolCallsOf(message.content).map(({ name }) => name);
  return [text, ...(calls.length === 0 ? [] : [`calls ${calls.join(", ")}`])].filter(Boolean).join(" ");
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ");
}
