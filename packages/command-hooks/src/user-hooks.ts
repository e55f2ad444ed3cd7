import type { AgentMod, PermissionMode } from "@hookscope/harness";
import { createRedactor, createSystemClock, type Clock, type Redactor } from "@hookscope/hooks";

import { createCommandMod, type CommandSurroundings } from "./command-mod.ts";
import { readUserHooks, type UserHooksConfig } from "./config.ts";

export interface UserHooksOptions {
  /** The `hooks` of a settings file in Claude Code's shape; untyped data is checked. */
  readonly hooks: UserHooksConfig;
  /** The workspace: commands start there. */
  readonly cwd: string;
  /** Variables for commands, beside PATH, HOME, LANG, TERM, TMPDIR, USER, the project's directory and the trace. */
  readonly env?: Readonly<Record<string, string>>;
  /** What commands are told of the session's file; empty where there is none. */
  readonly transcriptPath?: string;
  /** For the field `permission_mode`; `default`. */
  readonly permissionMode?: () => PermissionMode;
  readonly clock?: Clock;
  /** Cleans what commands say before it becomes an event; default: the redactor for keys and secret shapes. */
  readonly redact?: Redactor;
}

/**
 * The user-hooks mod: configured commands at PreToolUse, PostToolUse, Stop and SessionStart, each a mod of its own named
 * `user-hooks/…`, in the order they are listed in. They are run one after another; a block at PreToolUse keeps the later
 * ones from being asked. PostToolUse is for calls that succeeded.
 *
 * A command that fails, writes what cannot be read or takes too long lets the call go on, as in Claude Code, and is a failed
 * invocation and a `mod_error`; with `failClosed` it blocks, and so does text that is no JSON. Standard output is kept up to
 * 1 MiB: JSON that goes beyond cannot be read.
 *
 * @throws CommandHookError COMMAND_HOOKS_INVALID
 */
export function createUserHooks(options: UserHooksOptions): readonly AgentMod[] {
  const surroundings: CommandSurroundings = {
    cwd: options.cwd,
    env: options.env ?? {},
    transcriptPath: options.transcriptPath ?? "",
    permissionMode: options.permissionMode ?? (() => "default"),
    clock: options.clock ?? createSystemClock(),
    redactor: options.redact ?? createRedactor(),
    continued: new WeakSet(),
  };
  return readUserHooks(options.hooks).map((command) => createCommandMod(command, surroundings));
}
