import type { AssistantContent, Message, UserContent } from "../messages.ts";
import type { SessionEntry } from "./entries.ts";
import type { ExportFormat, Session } from "./session.ts";

/** A session as one document: JSON of all of it, or Markdown of the active branch. */
export function exportSession(session: Session, format: ExportFormat): string {
  if (format === "markdown") return exportMarkdown(session);
  const { header, leaf } = session;
  return `${JSON.stringify({ session: header, leaf, entries: session.entries() }, null, 2)}\n`;
}

function exportMarkdown(session: Session): string {
  const { id, cwd, createdAt } = session.header;
  const parts = [
    `# ${session.title ?? `Session ${id}`}`,
    `Session ${id}, started ${time(createdAt)} in ${fenceInline(cwd)}.`,
    ...session.branchEntries().flatMap(describeEntry),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** What only the program needs is left out: custom entries and modState. */
function describeEntry(entry: SessionEntry): readonly string[] {
  const at = time(entry.timestamp);
  switch (entry.type) {
    case "message":
      return describeMessage(entry.message, at);
    case "custom_message":
      return [`## ${entry.customType}, ${at}`, entry.content];
    case "compaction":
      return [`## Compacted, ${at}`, entry.summary];
    case "reply":
      return [`## Sent instead, ${at}`, entry.text];
    case "state":
      return [
        `## Messages replaced, ${at}`,
        ...entry.messages.flatMap((item) => ("message" in item ? describeMessage(item.message, at) : [])),
      ];
    case "custom":
    case "mod_state":
    case "session_info":
      return [];
  }
}

function describeMessage(message: Message, at: string): readonly string[] {
  const who = message.role === "assistant" ? "Assistant" : (TITLES[message.source] ?? "User");
  return [`## ${who}, ${at}`, ...message.content.flatMap(describeBlock)];
}

const TITLES: { readonly [source: string]: string } = {
  tool_results: "Tool results",
  steering: "User, while it ran",
  stop_hook: "Stop hook",
};

function describeBlock(block: UserContent | AssistantContent): readonly string[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [block.text];
    case "thinking":
      return [quote(block.text)];
    case "tool_use":
      return [`Calls ${fenceInline(block.name)}:`, fence(JSON.stringify(block.input, null, 2), "json")];
    case "tool_result": {
      const outcome = block.isError ? "failed" : "gave";
      return [`${fenceInline(block.toolName)} ${outcome}:`, fence(block.content.map(({ text }) => text).join("\n"))];
    }
    case "provider":
      return [`${fenceInline(block.name)} ran at the provider:`, fence(JSON.stringify(block.value, null, 2), "json")];
  }
}

function quote(text: string): string {
  return text.replaceAll(/^/gm, "> ");
}

/** A fence that the text cannot close. */
function fence(text: string, language = ""): string {
  const marks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

function fenceInline(text: string): string {
  const marks = "`".repeat(longestRun(text) + 1);
  return marks.length === 1 ? `\`${text}\`` : `${marks} ${text} ${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function time(timestamp: number): string {
  return new Date(timestamp).toISOString();
}
