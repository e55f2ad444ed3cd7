import type { Decision } from "@hookscope/hooks";

import type { Message } from "./messages.ts";
import type { ModHookName } from "./mods.ts";
import type { AgentState } from "./state.ts";
import { problemWithMessages, problemWithState } from "./state-problem.ts";

/** What a mod hook's return value asks for, for its span and record. */
export interface ModJudgement {
  readonly decision: Decision;
  readonly changedKeys?: readonly string[];
  readonly reason?: string;
  /** Set where the value has the wrong shape: what is wrong with it. */
  readonly problem?: string;
}

interface ModHookRow {
  /** When it fires, as one phrase. */
  readonly fires: string;
  /** @param given what the value would be if the hook changed nothing, where it returns the thing it was given */
  judge(value: unknown, given: unknown): ModJudgement;
}

const NO_OPINION: ModJudgement = { decision: "continue" };

/** The lifecycle hooks of a mod, in the order a session meets them. */
export const MOD_HOOKS: { readonly [Name in ModHookName]: ModHookRow } = {
  onSessionStart: {
    fires: "once per session on a harness, before its first message is taken",
    judge: () => NO_OPINION,
  },
  transformInput: { fires: "each message of a person, before it joins the log", judge: judgeInput },
  onTurnStart: { fires: "each round, before turn_start", judge: judgeState },
  appendSystemPrompt: { fires: "each round, after the base system prompt resolved", judge: judgePrompt },
  transformContext: { fires: "each round, after appendSystemPrompt", judge: judgeMessages },
  beforeToolCall: {
    fires: "each tool call, after its permission check",
    judge: (value) =>
      judgeFields(value, { block: "boolean", additionalContext: "string", input: "object", terminate: "boolean" }),
  },
  afterToolCall: {
    fires: "each tool call, after it ran",
    judge: (value) =>
      judgeFields(value, {
        content: "string",
        terminate: "boolean",
        additionalContext: "string",
        isError: "boolean",
        modState: "object",
      }),
  },
  onTurnEnd: { fires: "each round, before turn_end", judge: judgeState },
  shouldStopAfterTurn: { fires: "each round, after the commit", judge: judgeStop },
  onStop: {
    fires: "where a turn would end by itself",
    judge: (value) => judgeFields(value, { continue: "boolean", reason: "string" }),
  },
  prepareNextTurn: {
    fires: "each round that another follows",
    judge: (value) => judgeFields(value, { model: "string", effort: "string?" }),
  },
  onRunEnd: { fires: "once, before run_end", judge: () => NO_OPINION },
  onSessionEnd: { fires: "once per session that had a turn, where the harness is closed", judge: () => NO_OPINION },
};

export const MOD_HOOK_NAMES: readonly ModHookName[] = Object.keys(MOD_HOOKS) as ModHookName[];

function judgeInput(value: unknown): ModJudgement {
  if (value === undefined || value === null) return NO_OPINION;
  const shapes = '{ action: "continue" }, { action: "transform", text } or { action: "handled", message? }';
  if (!isObject(value)) return invalid(shapes, value);
  const { action, text, message } = value;
  if (action === "continue") return NO_OPINION;
  if (action === "transform" && typeof text === "string") return { decision: "modify", changedKeys: ["text"] };
  if (action === "handled" && (message === undefined || typeof message === "string")) {
    return { decision: "block", reason: message ?? "handled" };
  }
  return { decision: "none", problem: `it returned an object that is none of ${shapes}` };
}

function judgeState(value: unknown, given: unknown): ModJudgement {
  if (value === given) return NO_OPINION;
  if (!isObject(value)) return invalid("the AgentState", value);
  return changed(problemWithState(value, given as AgentState | undefined));
}

function judgePrompt(value: unknown): ModJudgement {
  if (value === undefined || value === null || value === "") return NO_OPINION;
  return typeof value === "string" ? { decision: "modify" } : invalid("a text", value);
}

function judgeMessages(value: unknown, given: unknown): ModJudgement {
  if (value === given) return NO_OPINION;
  if (!Array.isArray(value)) return invalid("a list of messages", value);
  return changed(problemWithMessages(value, given as readonly Message[] | undefined));
}

function changed(problem: string | undefined): ModJudgement {
  return problem === undefined
    ? { decision: "modify" }
    : { decision: "none", problem: `what it returned cannot be taken: ${problem}` };
}

function judgeStop(value: unknown): ModJudgement {
  if (value === true) return { decision: "modify", reason: "stop after this round" };
  return value === false || value === undefined ? NO_OPINION : invalid("true or false", value);
}

type FieldType = "boolean" | "string" | "object" | "string?";

function judgeFields(value: unknown, fields: { readonly [name: string]: FieldType }): ModJudgement {
  if (value === undefined || value === null) return NO_OPINION;
  if (!isObject(value)) return invalid(`an object of ${Object.keys(fields).join(", ")}`, value);
  for (const [name, type] of Object.entries(fields)) {
    const field = value[name];
    if (field === undefined || (type === "string?" && field === null)) continue;
    if (type === "object" ? !isObject(field) : typeof field !== type.replace("?", "")) {
      return { decision: "none", problem: `its field "${name}" is no ${type.replace("?", "")}` };
    }
  }
  const changedKeys = Object.keys(fields).filter((name) => value[name] !== undefined && value[name] !== false);
  if (value["block"] === true) {
    const reason = value["additionalContext"];
    return typeof reason === "string" ? { decision: "block", reason } : { decision: "block" };
  }
  return changedKeys.length === 0 ? NO_OPINION : { decision: "modify", changedKeys };
}

function invalid(expected: string, value: unknown): ModJudgement {
  return { decision: "none", problem: `it returned ${value === null ? "null" : `a ${typeof value}`}, not ${expected}` };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
