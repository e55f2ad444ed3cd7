import type { Risk } from "@hookscope/hooks";

import { DANGEROUS_COMMANDS } from "./dangerous-commands.ts";

/** Longer commands are not looked through: a search of them could take long, and nobody reads them either. */
export const LONGEST_JUDGED_COMMAND = 10_000;

/** High for what DANGEROUS_COMMANDS knows, low for a plain look at files of the working directory, else medium. */
export function commandRisk(command: string): Risk {
  if (command.length > LONGEST_JUDGED_COMMAND) return "high";
  if (dangerous.some((pattern) => pattern.test(command))) return "high";
  return command.split("|").every(isPlainLook) ? "low" : "medium";
}

const dangerous: readonly RegExp[] = DANGEROUS_COMMANDS.map(({ pattern }) => new RegExp(pattern));

const LOOKS: ReadonlySet<string> = new Set(
  "basename cat cut date dirname du echo file grep head id ls nl pwd rg stat tail tr true uname wc whoami".split(" "),
);
const GIT_LOOKS: ReadonlySet<string> = new Set("blame describe log ls-files rev-parse shortlog show status".split(" "));

/**
 * What could start, write or reach something else: substitutions, redirections, lists, paths that leave the folder, and
 * options that do, by the shortest beginning that a program takes for them.
 */
const MORE_THAN_A_LOOK =
  /[;&<>$`(){}!\\\n\r*?[\]~]|\.\.|(?:^|[\s="'])\/|\s-\w\/|--(?:pre(?![a-z])|host|ou|ext|textc|se?t?(?![a-z]))/;

/** `date` also sets the clock: of its options `-u` alone is a look, and with a format no other may follow. */
const SETS_THE_CLOCK = /^\s*date\s+(?!-u\s*$|(?:-u\s+)?["']?\+(?!.*\s["']?-))\S/;

function isPlainLook(command: string): boolean {
  if (MORE_THAN_A_LOOK.test(command) || SETS_THE_CLOCK.test(command)) return false;
  const [name = "", argument = ""] = command.trim().split(/\s+/);
  return LOOKS.has(name) || (name === "git" && GIT_LOOKS.has(argument));
}
