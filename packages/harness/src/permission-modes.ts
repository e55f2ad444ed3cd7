import { HarnessError } from "./errors.ts";
import {
  ANYTHING,
  checkFields,
  checkGiven,
  FUNCTION,
  isObject,
  type FieldRule,
  type FieldRules,
} from "./field-rules.ts";
import type { PermissionAnswer, PermissionMode, PermissionRequest, Permissions } from "./permissions.ts";

/** What a tool does, for the modes. `other`: nobody said. */
export type ToolKind = "read" | "edit" | "shell" | "other";

export interface PermissionsOptions {
  /** The mode to begin with; `default`. */
  readonly mode?: PermissionMode;
  /** Kinds of tools beside the built-in ones. */
  readonly kinds?: Readonly<Record<string, ToolKind>>;
  /** Tools that are not asked for; a name may end with `*`. Plan mode does not heed it. */
  readonly allow?: readonly string[];
  /** Tools that never run, in any mode; a name may end with `*`. */
  readonly deny?: readonly string[];
  readonly generateDescription?: Permissions["generateDescription"];
}

export interface ModePermissions extends Permissions {
  mode(): PermissionMode;
  /** Takes effect with the next round. @throws HarnessError HARNESS_OPTION_INVALID */
  setMode(mode: PermissionMode): void;
  onModeChange(listener: (mode: PermissionMode) => void): () => void;
}

const BUILT_IN_KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: "read",
  list_files: "read",
  search_files: "read",
  write_file: "edit",
  edit_file: "edit",
  shell: "shell",
  // What a subagent calls is judged call by call.
  agent: "read",
};

type Judgement = "allow" | "ask" | "plan" | "unasked";

/** By mode and kind. */
const MODES: { readonly [Mode in PermissionMode]: { readonly [Kind in ToolKind]: Judgement } } = {
  default: { read: "allow", edit: "ask", shell: "ask", other: "ask" },
  "accept-edits": { read: "allow", edit: "allow", shell: "ask", other: "ask" },
  plan: { read: "allow", edit: "plan", shell: "plan", other: "plan" },
  yolo: { read: "allow", edit: "allow", shell: "allow", other: "allow" },
  "dont-ask": { read: "allow", edit: "unasked", shell: "unasked", other: "unasked" },
};

/**
 * Permissions by mode. What would be asked goes to the harness's approver; a harness without one blocks it.
 *
 * @throws HarnessError HARNESS_OPTION_INVALID
 */
export function createPermissions(options: PermissionsOptions = {}): ModePermissions {
  checkGiven("createPermissions", options, "an object, or nothing");
  checkFields(options, OPTIONS);
  const kinds = { ...BUILT_IN_KINDS, ...options.kinds };
  const listeners = new Set<(mode: PermissionMode) => void>();
  let current = checkMode(options.mode ?? "default");
  return {
    check: (request) => judge(request, kinds, options),
    ...(options.generateDescription === undefined ? {} : { generateDescription: options.generateDescription }),
    mode: () => current,
    setMode(mode) {
      if (checkMode(mode) === current) return;
      current = mode;
      for (const listener of listeners) listener(mode);
    },
    onModeChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const NAMES: FieldRule = {
  must: "a list of texts",
  fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};

/** The mode has an error of its own, which `setMode` has too. */
const OPTIONS: FieldRules<PermissionsOptions> = {
  mode: ANYTHING,
  kinds: {
    must: `an object of ${Object.keys(MODES.default).join(", ")}, by tool`,
    fits: (value) =>
      isObject(value) && Object.values(value).every((kind) => Object.hasOwn(MODES.default, String(kind))),
  },
  allow: NAMES,
  deny: NAMES,
  generateDescription: FUNCTION,
};

function judge(
  { toolName, permissionMode, description }: PermissionRequest,
  kinds: Readonly<Record<string, ToolKind>>,
  { allow = [], deny = [] }: PermissionsOptions,
): PermissionAnswer {
  if (names(deny, toolName)) return { decision: "deny", reason: `${toolName} is denied in every mode.` };
  const kind = Object.hasOwn(kinds, toolName) ? (kinds[toolName] as ToolKind) : "other";
  const judgement = MODES[permissionMode][kind];
  if (judgement === "plan") {
    return { decision: "deny", reason: `Plan mode: ${toolName} may change something, and nothing is changed yet.` };
  }
  if (judgement === "allow" || names(allow, toolName)) return { decision: "allow" };
  if (judgement === "ask") return { decision: "ask", question: description ?? `Run ${toolName}?` };
  return { decision: "deny", reason: `${toolName} would need a person's approval, and this mode asks nobody.` };
}

function names(patterns: readonly string[], toolName: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? toolName.startsWith(pattern.slice(0, -1)) : pattern === toolName,
  );
}

function checkMode(mode: PermissionMode): PermissionMode {
  if (Object.hasOwn(MODES, mode)) return mode;
  throw new HarnessError(
    "HARNESS_OPTION_INVALID",
    `the permission mode is "${String(mode)}"; it must be one of ${Object.keys(MODES).join(", ")}.`,
  );
}
