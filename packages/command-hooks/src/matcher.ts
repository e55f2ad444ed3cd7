import { matcherWays } from "./matcher-ways.ts";

/** Whether a name is one that a matcher is for. */
export type Matches = (name: string) => boolean;

/** What Claude Code calls the tools, so that its matchers fit ours. */
const TOOL_ALIASES: { readonly [toolName: string]: readonly string[] } = {
  shell: ["Bash"],
  read_file: ["Read"],
  write_file: ["Write"],
  edit_file: ["Edit", "MultiEdit"],
  list_files: ["LS", "Glob"],
  search_files: ["Grep"],
  agent: ["Task", "delegate_task"],
};

/** What a matcher is tried on is no longer; a provider takes names of 64. */
const MAX_NAME_LENGTH = 128;
/** Three `.*` with two small choices between them, or 15 choices in a row, are within it. */
const MAX_WAYS = 20_000_000;

/**
 * Reads a matcher: a regular expression for a whole name, with names of Claude Code's for tools. Absent, empty or `*`: every
 * name. So is a name longer than 128 characters one for every matcher, and passes no guard by its length.
 *
 * @throws Error with what is wrong with it, as the end of a sentence that begins with its path
 */
export function readMatcher(matcher: unknown): Matches {
  if (matcher === undefined || matcher === null) return () => true;
  if (typeof matcher !== "string") throw new Error("must be a regular expression as a text");
  const text = matcher.trim();
  if (text === "" || text === "*") return () => true;
  const expression = compile(text);
  return (name) =>
    name.length > MAX_NAME_LENGTH ||
    [name, ...(TOOL_ALIASES[name] ?? [])].some((candidate) => expression.test(candidate));
}

function compile(text: string): RegExp {
  try {
    // By itself first: ")|(" would be an expression between the brackets of the whole.
    void new RegExp(text, "u");
  } catch (error) {
    throw new Error(`is no regular expression: ${(error as Error).message}`, { cause: error });
  }
  if (matcherWays(text, MAX_NAME_LENGTH) > MAX_WAYS) {
    throw new Error(
      "could take for ever on some names: it repeats what can itself match in several ways, or repeats too often; write it with fewer of *, + and {}, and with none inside another",
    );
  }
  return new RegExp(`^(?:${text})$`, "u");
}
