import { userMessage, type AgentMod, type AgentState, type ModContext, type PermissionMode } from "@hookscope/harness";
import { childEnvironment } from "@hookscope/harness/internal";
import { redactSafely, type Clock, type JsonObject, type Redactor } from "@hookscope/hooks";
import { context as contextApi } from "@opentelemetry/api";

import type { ConfiguredCommand } from "./config.ts";
import { readDecision, type CommandDecision } from "./decide.ts";
import type { Matches } from "./matcher.ts";
import { runCommand } from "./run-command.ts";

/** What the commands of one configuration share. */
export interface CommandSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly transcriptPath: string;
  readonly permissionMode: () => PermissionMode;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Turns that a Stop command kept going already, by their signal: each command has a context of its own. */
  readonly continued: WeakSet<AbortSignal>;
}

/** Beyond a command's own limit, so that the loop's never fires before it. */
const GRACE_MS = 10_000;

/** Claude Code's words for the modes. */
const PERMISSION_MODES: { readonly [Mode in PermissionMode]: string } = {
  default: "default",
  "accept-edits": "acceptEdits",
  plan: "plan",
  yolo: "bypassPermissions",
  "dont-ask": "dontAsk",
};

/** A mod of one command: each of its runs is an invocation of its own, with its span, its time and what it decided. */
export function createCommandMod(configured: ConfiguredCommand, surroundings: CommandSurroundings): AgentMod {
  const { id, event, matches, timeoutSeconds } = configured;
  const base: AgentMod = { id, timeoutMs: timeoutSeconds * 1000 + GRACE_MS };
  const run = (payload: JsonObject, sessionId: string, ctx: ModContext | undefined): Promise<CommandDecision> =>
    runHook(configured, surroundings, { payload, sessionId, ctx });
  switch (event) {
    case "PreToolUse":
      return {
        ...base,
        async beforeToolCall({ toolCallId, toolName, input, state }, ctx) {
          if (!matches(toolName)) return undefined;
          const tell = teller(ctx, surroundings, { toolCallId, toolName, phase: "pre" });
          const payload = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId };
          const {
            block,
            input: updated,
            context,
            stop,
          } = await tell(() => orBlocked(configured, run(payload, state.sessionId, ctx)));
          if (block !== undefined) {
            return { block: true, additionalContext: block, ...(stop === undefined ? {} : { terminate: true }) };
          }
          return {
            ...(updated === undefined ? {} : { input: updated }),
            ...(context === undefined ? {} : { additionalContext: context }),
          };
        },
      };
    case "PostToolUse":
      return {
        ...base,
        async afterToolCall({ toolCallId, toolName, input, result, isError, state }, ctx) {
          if (isError || !matches(toolName)) return undefined;
          const tell = teller(ctx, surroundings, { toolCallId, toolName, phase: "post" });
          const payload = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId, tool_response: result };
          const { block, context, stop } = await tell(() => run(payload, state.sessionId, ctx));
          const said = [block, context].filter((text) => text !== undefined).join("\n");
          return {
            ...(said === "" ? {} : { additionalContext: said }),
            ...(stop === undefined ? {} : { terminate: true }),
          };
        },
      };
    case "Stop":
      return {
        ...base,
        async onStop({ state, lastAssistantText }, ctx) {
          const active = ctx !== undefined && surroundings.continued.has(ctx.signal);
          const payload = { stop_hook_active: active, last_assistant_message: lastAssistantText };
          const { block, stop } = await run(payload, state.sessionId, ctx);
          if (block === undefined || stop !== undefined) return undefined;
          if (ctx !== undefined) surroundings.continued.add(ctx.signal);
          return { continue: true, reason: block };
        },
      };
    case "SessionStart":
      return { ...base, ...sessionStart(matches, run) };
  }
}

type Run = (payload: JsonObject, sessionId: string, ctx: ModContext | undefined) => Promise<CommandDecision>;

/** What a command says at the start of a session joins the log behind the first message, as the mod's word to the model. */
function sessionStart(matches: Matches, run: Run): Pick<AgentMod, "onSessionStart" | "onTurnStart"> {
  const waiting = new Map<string, string>();
  return {
    async onSessionStart({ source, sessionId }, ctx) {
      if (!matches(source)) return;
      const { block, context } = await run({ source }, sessionId, ctx);
      if (block !== undefined) ctx?.emit({ type: "notice", level: "warning", message: block });
      if (context !== undefined) waiting.set(sessionId, context);
    },
    onTurnStart({ state }, ctx) {
      const content = waiting.get(state.sessionId);
      if (content === undefined) return state;
      waiting.delete(state.sessionId);
      return withMessage(state, content, ctx);
    },
  };
}

function withMessage(state: AgentState, content: string, ctx: ModContext | undefined): AgentState {
  const entry = ctx?.session?.appendCustomMessageEntry({ customType: "session-start", content, display: false });
  const message = entry?.message ?? userMessage(content, "custom");
  return { ...state, messages: [...state.messages, message] };
}

/** A guard that cannot say what it decides blocks, where it was configured to. */
async function orBlocked(configured: ConfiguredCommand, running: Promise<CommandDecision>): Promise<CommandDecision> {
  if (!configured.failClosed) return running;
  try {
    return await running;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { block: `The command hook ${configured.id} could not decide, so the call is refused: ${why}` };
  }
}

interface HookRun {
  readonly payload: JsonObject;
  readonly sessionId: string;
  readonly ctx: ModContext | undefined;
}

async function runHook(
  { event, command, timeoutSeconds, failClosed }: ConfiguredCommand,
  { cwd, env, transcriptPath, permissionMode, clock, redactor }: CommandSurroundings,
  { payload, sessionId, ctx }: HookRun,
): Promise<CommandDecision> {
  const input = {
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd,
    permission_mode: PERMISSION_MODES[permissionMode()],
    hook_event_name: event,
    ...payload,
  };
  const outcome = await runCommand({
    command,
    input: JSON.stringify(input),
    cwd,
    // The trace of this invocation: what the command records nests under it.
    env: childEnvironment({ CLAUDE_PROJECT_DIR: cwd, HOOKSCOPE_PROJECT_DIR: cwd, ...env }, contextApi.active()),
    timeoutMs: timeoutSeconds * 1000,
    signal: ctx?.signal,
    clock,
  });
  const decision = readDecision(event, outcome, failClosed);
  if (decision.message !== undefined) {
    const message = String(redactSafely(redactor, decision.message));
    ctx?.emit({ type: "notice", level: "info", message });
  }
  return decision;
}

interface ToolPhase {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly phase: "pre" | "post";
}

type Tell = (run: () => Promise<CommandDecision>) => Promise<CommandDecision>;

/** Says in `tool_hooks` what came of a command, before the call's own end is told. */
function teller(ctx: ModContext | undefined, { redactor }: CommandSurroundings, phase: ToolPhase): Tell {
  const tell = (outcome: string, ...said: readonly (string | undefined)[]): void => {
    const lines = said.flatMap((text) => (text === undefined ? [] : String(redactSafely(redactor, text)).split("\n")));
    ctx?.emit({ type: "tool_hooks", ...phase, lines, outcome });
  };
  return async (run) => {
    try {
      const decision = await run();
      tell(outcomeOf(decision), decision.block, decision.context, decision.message);
      return decision;
    } catch (error) {
      if (ctx?.signal.aborted !== true) tell("failed", error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}

function outcomeOf({ block, input, context, stop }: CommandDecision): string {
  if (stop !== undefined) return "stopped";
  if (block !== undefined) return "blocked";
  if (input !== undefined) return "changed";
  return context === undefined ? "passed" : "context";
}
