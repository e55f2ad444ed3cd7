/** A shape of shell command that harms. */
export interface DangerousCommand {
  readonly name: string;
  /** A regular expression, found anywhere in a command. */
  readonly pattern: string;
  /** `ruin`: nobody wants it from an agent. `harm`: it may be meant, and cannot be taken back. */
  readonly severity: "ruin" | "harm";
}

/**
 * The rest of a simple command, over continued lines. At most one after another in a pattern: where two things are wanted
 * they are two lookaheads, or the time would grow with the cube of the length.
 */
const REST = String.raw`(?:[^;&|\n]|\\\n)*?`;
const AFTER = String.raw`(?=$|[\s;&|)}\`"'<>])`;

/** A word anywhere in a command, also as the last part of a path: for names whose arguments tell what is meant. */
function word(names: string): string {
  return String.raw`(?:^|[\s;&|(){}\`"'/])(?:${names})${AFTER}`;
}

/** A word where a command's name stands: for names that are harmful by themselves. */
function command(names: string): string {
  const before = String.raw`(?:^|[;&|({\`\n]|\b(?:sudo|env|exec|nohup|xargs|then|do|else)\s)`;
  return String.raw`${before}\s*(?:[\w.-]*/)*(?:${names})${AFTER}`;
}

/** A one-letter option, also among others, or a long one. */
function option(letters: string, long: string): string {
  return String.raw`\s["']?(?:-[a-zA-Z]*[${letters}][a-zA-Z]*|--(?:${long}))${AFTER}`;
}

const SHELL = String.raw`(?:[\w.-]*/)*(?:ba|z|da|k)?sh${AFTER}`;
const INTO_SHELL = String.raw`\|\s*(?:sudo\s+(?:-\S+\s+)*)?${SHELL}`;
const TOP_FOLDERS = "bin|boot|dev|etc|home|lib|opt|root|sbin|sys|usr|var|Users|System";
const EVERYTHING = String.raw`\s["']?(?:/(?:${TOP_FOLDERS})?|~|\$HOME|\$\{HOME\})/?\*?["']?(?=$|[\s;&|)])`;

/**
 * A speed bump, not a wall: a shell has endless ways to write the same thing. What must never happen is for a sandbox to
 * prevent.
 */
export const DANGEROUS_COMMANDS: readonly DangerousCommand[] = [
  {
    name: "remove everything",
    severity: "ruin",
    pattern: `${word("rm")}(?=${REST}${option("rR", "recursive")})(?=${REST}${EVERYTHING})`,
  },
  { name: "format a disk", severity: "ruin", pattern: command(String.raw`mkfs(?:\.\w+)?|mke2fs|wipefs|fdisk|parted`) },
  { name: "overwrite a disk", severity: "ruin", pattern: String.raw`${word("dd")}${REST}\sof=["']?/dev/(?!null\b)` },
  {
    name: "write to a disk",
    severity: "ruin",
    pattern: String.raw`>\s*["']?/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper)`,
  },
  { name: "fork bomb", severity: "ruin", pattern: String.raw`:\s?\(\s?\)\s?\{\s?:\s?\|\s?:` },
  { name: "run a download", severity: "ruin", pattern: String.raw`${word("curl|wget")}[^\n]*?${INTO_SHELL}` },
  {
    name: "run a download at once",
    severity: "ruin",
    pattern: String.raw`${word("(?:ba|z|da|k)?sh|eval|source")}[^\n]*?(?:[$<]\(|\`)\s*(?:curl|wget)${AFTER}`,
  },
  { name: "remove a tree", severity: "harm", pattern: `${word("rm")}${REST}${option("rR", "recursive")}` },
  { name: "delete what is found", severity: "harm", pattern: String.raw`${word("find")}${REST}\s-delete\b` },
  { name: "shred a file", severity: "harm", pattern: command("shred") },
  { name: "act as another user", severity: "harm", pattern: command("sudo|su|doas|pkexec") },
  { name: "copy over by dd", severity: "harm", pattern: String.raw`${word("dd")}${REST}\sof=` },
  {
    name: "rewrite a remote branch",
    severity: "harm",
    pattern: String.raw`${word("git")}(?=${REST}\spush\b)(?=${REST}(?:${option("fd", String.raw`force(?:-with-lease)?(?:=\S*)?|mirror|delete`)}|\s\+\w))`,
  },
  {
    name: "throw work away",
    severity: "harm",
    pattern: String.raw`${word("git")}(?:(?=${REST}\sreset\b)(?=${REST}\s--hard)|(?=${REST}\sclean\b)(?=${REST}${option("f", "force")}))`,
  },
  {
    name: "open permissions",
    severity: "harm",
    pattern: String.raw`${word("chmod|chown")}${REST}(?:${option("R", "recursive")}|\s0?777\b)`,
  },
  { name: "stop the machine", severity: "harm", pattern: command("shutdown|reboot|halt|poweroff") },
  {
    name: "publish a package",
    severity: "harm",
    pattern: String.raw`${word("npm|pnpm|yarn|cargo|twine")}${REST}\s(?:publish|upload)${AFTER}`,
  },
  { name: "run what is decoded", severity: "harm", pattern: String.raw`${word("base64|xxd")}[^\n]*?${INTO_SHELL}` },
];
