import { Option, type Command } from "commander";

import type { Terminal } from "../terminal.ts";
import { addOutputOptions, configOption, oneOf } from "./options.ts";
import type { BranchFlags, ExportFlags, SessionFlags } from "./sessions.ts";

export function declareSessions(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const sessions = program
    .command("sessions")
    .description("the sessions of the working directory")
    .helpOption("-h, --help", "print help")
    .helpCommand(false);
  const add = (name: string, description: string): Command =>
    addOutputOptions(sessions.command(name).description(description)).addOption(configOption());

  add("list", "list them, the last used first").action(async (flags: SessionFlags) => {
    const { listSessions } = await import("./sessions.ts");
    done(await listSessions(terminal, flags));
  });
  add("show", "list the entries of a session's active branch, with their ids")
    .argument("<id>", "the session")
    .action(async (id: string, flags: SessionFlags) => {
      const { showSession } = await import("./sessions.ts");
      done(await showSession(terminal, id, flags));
    });
  add("branch", "go on after an earlier entry: what came after it stays, on another branch")
    .argument("<id>", "the session")
    .argument("<entry>", "the last entry to keep; `sessions show` lists them")
    .option("--new [id]", "in a new session that begins with a copy, and leave this one as it is")
    .action(async (id: string, entry: string, flags: BranchFlags) => {
      const { branchSession } = await import("./sessions.ts");
      done(await branchSession(terminal, id, entry, flags));
    });
  add("export", "print a whole session")
    .argument("<id>", "the session")
    .addOption(
      new Option("--format <format>", "markdown or json; default markdown")
        .argParser(oneOf(["markdown", "json"]))
        .conflicts("json"),
    )
    .action(async (id: string, flags: ExportFlags) => {
      const { exportSession } = await import("./sessions.ts");
      done(await exportSession(terminal, id, flags));
    });
}
