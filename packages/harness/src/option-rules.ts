import type { ContinuationOptions } from "./continuation.ts";
import {
  ANYTHING,
  BOOLEAN,
  checkField,
  checkFields,
  checkGiven,
  COUNT,
  DURATION_MS,
  FUNCTION,
  isObject,
  LIST,
  NAME,
  NUMBER_ABOVE_0,
  objectOf,
  objectWith,
  oneOf,
  SESSION,
  SIGNAL,
  TEXT,
  wholeNumberFrom,
  type FieldRule,
  type FieldRules,
} from "./field-rules.ts";
import type { RunRequest } from "./harness.ts";
import type { InboundMessage } from "./inbound.ts";
import type { ThinkingEffort } from "./model.ts";
import type { HarnessOptions, RetryOptions } from "./options.ts";

/** @throws HarnessError HARNESS_OPTION_INVALID */
export function checkOptions(options: HarnessOptions): void {
  checkFields(options, OPTIONS);
  for (const [type, definition] of Object.entries(options.subagents ?? {})) {
    checkField(definition, SUBAGENT, `subagents.${type}`);
  }
}

/** @throws HarnessError HARNESS_OPTION_INVALID */
export function checkRequest(request: RunRequest): void {
  checkGiven("`run`", request, "an object, or nothing");
  checkFields(request, REQUEST);
}

/** @throws HarnessError HARNESS_OPTION_INVALID */
export function checkMessage(message: InboundMessage): void {
  checkGiven("`receive`", message, "an object with `text` and `source`");
  checkField(message.text, TEXT, "text");
  checkField(message.source, TEXT, "source");
  checkFields(message, MESSAGE);
}

const EFFORTS: { readonly [Effort in ThinkingEffort]: true } = {
  none: true,
  minimal: true,
  low: true,
  medium: true,
  high: true,
  xhigh: true,
  max: true,
};

const RETRY: FieldRules<RetryOptions> = {
  maxAttempts: COUNT,
  maxUnreachableAttempts: COUNT,
  baseDelayMs: DURATION_MS,
  maxDelayMs: DURATION_MS,
  silentFirst: BOOLEAN,
  random: FUNCTION,
};

const CONTINUATION: FieldRules<ContinuationOptions> = { maxAttempts: NUMBER_ABOVE_0 };

const TAGS: FieldRule = {
  must: "a list of { key, value }, both texts",
  fits: (value) =>
    Array.isArray(value) &&
    value.every((tag) => isObject(tag) && typeof tag["key"] === "string" && typeof tag["value"] === "string"),
};

const TOOL_SOURCES: FieldRule = {
  must: "a list of sources of tools; `mcpTools` gives one",
  fits: (value) =>
    Array.isArray(value) &&
    value.every(
      (source) => isObject(source) && Array.isArray(source["tools"]) && typeof source["onToolsChange"] === "function",
    ),
};

const SUBAGENT: FieldRule = {
  must: "an object with a text `description`",
  fits: (value) => isObject(value) && typeof value["description"] === "string",
};

/** What is `ANYTHING` here is checked where it is used. */
const OPTIONS: FieldRules<HarnessOptions> = {
  model: ANYTHING,
  resolveModel: FUNCTION,
  tools: LIST,
  bus: ANYTHING,
  mods: LIST,
  compaction: ANYTHING,
  titling: ANYTHING,
  toolSources: TOOL_SOURCES,
  plugins: LIST,
  loadedMods: objectWith("attach", "dispose"),
  queue: objectWith("getSteeringMessages", "getFollowUpMessages"),
  permissions: objectWith("check"),
  permissionMode: FUNCTION,
  approver: objectWith("ask"),
  approvalTimeoutMs: DURATION_MS,
  session: SESSION,
  systemPrompt: {
    must: "a text, or a function that gives one",
    fits: (value) => TEXT.fits(value) || FUNCTION.fits(value),
  },
  toolExecution: oneOf(["sequential", "parallel"]),
  maxTurns: COUNT,
  effort: oneOf(Object.keys(EFFORTS)),
  continuation: {
    must: "false or an object",
    fits: (value) => value === false || isObject(value),
    fields: CONTINUATION,
  },
  retry: objectOf(RETRY),
  subagents: { must: "an object of definitions, by type", fits: isObject },
  maxSubagentDepth: wholeNumberFrom(0),
  events: objectWith("emit", "subscribe", "on"),
  getSteeringMessages: FUNCTION,
  getFollowUpMessages: FUNCTION,
  onCommit: FUNCTION,
  recordContent: BOOLEAN,
  cwd: NAME,
  agent: NAME,
  profile: NAME,
  platform: NAME,
  tags: TAGS,
};

/** `state` is checked where the turn starts from it. */
const REQUEST: FieldRules<RunRequest> = {
  state: ANYTHING,
  session: SESSION,
  userInput: TEXT,
  signal: SIGNAL,
  parent: {
    must: "a context of OpenTelemetry",
    fits: (value) => objectWith("getValue", "setValue").fits(value),
  },
};

const MESSAGE: FieldRules<InboundMessage> = {
  text: TEXT,
  source: TEXT,
  platform: NAME,
  profile: NAME,
  sessionId: NAME,
  resolve: FUNCTION,
  headers: { must: "an object of header names and texts", fits: isObject },
  traceParent: oneOf(["link", "parent"]),
  signal: SIGNAL,
};
