import { suggest } from "@hookscope/hooks/internal";

import { CommandHookError } from "./errors.ts";
import { readMatcher, type Matches } from "./matcher.ts";

/** Where commands can be configured, by Claude Code's names. */
export const USER_HOOK_EVENTS = ["SessionStart", "PreToolUse", "PostToolUse", "Stop"] as const;

export type UserHookEvent = (typeof USER_HOOK_EVENTS)[number];

export interface CommandHook {
  readonly type: "command";
  /** For `/bin/sh -c`. */
  readonly command: string;
  /** Seconds, up to 600; 60. */
  readonly timeout?: number;
  /** Names its invocations; default: the event and its number. The command itself may hold a secret, and is never shown. */
  readonly name?: string;
  /** At PreToolUse: a command that cannot say what it decides blocks the call. So does text that is no JSON. */
  readonly failClosed?: boolean;
}

export interface HookMatcher {
  /**
   * A regular expression for the whole name of a tool, or at SessionStart for the source (`startup`, `resume`). Absent, empty
   * or `*`: every one. Stop does not heed it. One that could take for ever on some name is refused.
   */
  readonly matcher?: string;
  readonly hooks: readonly CommandHook[];
}

/** The `hooks` of Claude Code's settings, as far as a command can answer them. */
export type UserHooksConfig = { readonly [Event in UserHookEvent]?: readonly HookMatcher[] };

/** One configured command. */
export interface ConfiguredCommand {
  readonly event: UserHookEvent;
  /** `user-hooks/<name>`: unique. */
  readonly id: string;
  /** Of a tool's name, or at SessionStart of the source. */
  readonly matches: Matches;
  readonly command: string;
  readonly timeoutSeconds: number;
  readonly failClosed: boolean;
}

const USER_HOOKS_MOD_ID = "user-hooks";
const DEFAULT_TIMEOUT_SECONDS = 60;
const MAX_TIMEOUT_SECONDS = 600;

/**
 * Reads a configuration from untyped data. The commands come out in the order they are run in: by event, then as listed.
 * The same command twice at one event and matcher counts once.
 *
 * @throws CommandHookError COMMAND_HOOKS_INVALID
 */
export function readUserHooks(value: unknown): readonly ConfiguredCommand[] {
  const config = object(value, "hooks");
  for (const event of Object.keys(config)) {
    if (USER_HOOK_EVENTS.includes(event as UserHookEvent)) continue;
    const near = suggest(event, USER_HOOK_EVENTS);
    const meant = near === undefined ? "" : ` (did you mean ${near}?)`;
    throw invalid(
      `hooks.${event}`,
      `is no event that commands are run at${meant}. The events are ${USER_HOOK_EVENTS.join(", ")}`,
    );
  }
  const commands = USER_HOOK_EVENTS.flatMap((event) => readEvent(event, config[event]));
  const ids = new Set<string>();
  for (const { id, event } of commands) {
    if (ids.has(id))
      throw invalid(`hooks.${event}`, `has two commands named "${id.slice(USER_HOOKS_MOD_ID.length + 1)}"`);
    ids.add(id);
  }
  return commands;
}

function readEvent(event: UserHookEvent, value: unknown): readonly ConfiguredCommand[] {
  if (value === undefined) return [];
  const commands: ConfiguredCommand[] = [];
  const seen = new Set<string>();
  for (const [index, group] of list(value, `hooks.${event}`).entries()) {
    const path = `hooks.${event}[${index}]`;
    const { matcher, hooks } = object(group, path);
    const matches = matcherAt(matcher, path);
    for (const [position, hook] of list(hooks, `${path}.hooks`).entries()) {
      const read = readCommand(object(hook, `${path}.hooks[${position}]`), `${path}.hooks[${position}]`, event);
      const key = JSON.stringify([matcher ?? "", read.command]);
      if (seen.has(key)) continue;
      seen.add(key);
      const name = read.name ?? `${event}.${commands.length + 1}`;
      commands.push({ ...read, event, id: `${USER_HOOKS_MOD_ID}/${name}`, matches });
    }
  }
  return commands;
}

type ReadCommand = Pick<ConfiguredCommand, "command" | "timeoutSeconds" | "failClosed"> & {
  readonly name: string | undefined;
};

function readCommand(hook: Readonly<Record<string, unknown>>, path: string, event: UserHookEvent): ReadCommand {
  const { type, command, timeout = DEFAULT_TIMEOUT_SECONDS, name, failClosed = false } = hook;
  if (type !== "command") throw invalid(`${path}.type`, `is ${JSON.stringify(type)}; it must be "command"`);
  if (typeof command !== "string" || command.trim() === "") {
    throw invalid(`${path}.command`, "must be a command line for the shell");
  }
  if (typeof timeout !== "number" || !(timeout > 0 && timeout <= MAX_TIMEOUT_SECONDS)) {
    throw invalid(
      `${path}.timeout`,
      `is ${JSON.stringify(timeout)}; it must be a number of seconds above 0, up to ${MAX_TIMEOUT_SECONDS}`,
    );
  }
  if (name !== undefined && (typeof name !== "string" || !/^[\w.-]+$/u.test(name))) {
    throw invalid(`${path}.name`, `is ${JSON.stringify(name)}; it must be of letters, digits, ".", "_" and "-"`);
  }
  if (typeof failClosed !== "boolean") throw invalid(`${path}.failClosed`, "must be true or false");
  if (failClosed && event !== "PreToolUse") {
    throw invalid(`${path}.failClosed`, `blocks a tool call, so it belongs to PreToolUse, not to ${event}`);
  }
  return { command, timeoutSeconds: timeout, name, failClosed };
}

function matcherAt(matcher: unknown, path: string): Matches {
  try {
    return readMatcher(matcher);
  } catch (error) {
    throw invalid(`${path}.matcher`, (error as Error).message, error);
  }
}

function object(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(path, "must be an object");
}

function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(path, "must be a list");
}

function invalid(path: string, problem: string, cause?: unknown): CommandHookError {
  return new CommandHookError("COMMAND_HOOKS_INVALID", `${path} ${problem}.`, { cause });
}
