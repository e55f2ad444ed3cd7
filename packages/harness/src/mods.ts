import type { JsonObject, Usage } from "@hookscope/hooks";

import type { UnstampedEvent } from "./events.ts";
import type { Message } from "./messages.ts";
import type { ThinkingEffort } from "./model.ts";
import type { RunResult, StopReason } from "./run-result.ts";
import type { ModSession } from "./mod-session.ts";
import type { AgentState } from "./state.ts";
import type { Tool } from "./tool.ts";

/** Built once per run, and given to every hook of a mod as its last argument; at run time always there. */
export interface ModContext {
  emit(event: UnstampedEvent): void;
  /** Aborted when the run is interrupted. `onRunEnd`, which must complete, has one that is not. */
  readonly signal: AbortSignal;
  readonly cwd: string;
  /** Absent only where the harness was built without a session store. */
  readonly session?: ModSession;
}

type MaybePromise<Value> = Value | Promise<Value>;

export interface BeforeToolCallResult {
  /** The tool does not run; `additionalContext` becomes its result. */
  readonly block?: boolean;
  readonly additionalContext?: string;
  /** What the tool runs with instead; the next mod sees it. */
  readonly input?: JsonObject;
  /** Ends the run after this batch. */
  readonly terminate?: boolean;
}

export interface AfterToolCallResult {
  /** Replaces the result the model sees. */
  readonly content?: string;
  readonly terminate?: boolean;
  /** A further text block after the content. */
  readonly additionalContext?: string;
  /** Decides between `tool_completed` and `tool_errored`. */
  readonly isError?: boolean;
  /** Replaces this mod's slot of modState once the results are in the log. */
  readonly modState?: Record<string, unknown>;
}

export interface NextTurn {
  readonly model?: string;
  /** null: the model's own default. Left out: as it was. */
  readonly effort?: ThinkingEffort | null;
}

export interface OnStopResult {
  readonly continue?: boolean;
  readonly reason?: string;
}

/**
 * What a mod makes of the user's message. `handled`: the mod dealt with it, so that no model is asked and nothing joins the
 * log; `message` is the reply.
 */
export type TransformInputResult =
  | { readonly action: "continue" }
  | { readonly action: "transform"; readonly text: string }
  | { readonly action: "handled"; readonly message?: string };

/** The lifecycle hooks of a mod. Mods run in registration order in every phase. */
export interface ModHooks {
  /** Once per session on a harness, before its first message is taken; `resume` where the session had messages already. */
  onSessionStart?(
    params: { readonly source: "startup" | "resume"; readonly sessionId: string },
    ctx?: ModContext,
  ): MaybePromise<void>;
  /** Each message of a person, before it joins the log; the next mod sees what this one made of it. */
  transformInput?(
    params: { readonly text: string },
    ctx?: ModContext,
  ): MaybePromise<TransformInputResult | undefined | void>;
  onTurnStart?(
    params: { readonly state: AgentState; readonly turnNumber: number },
    ctx?: ModContext,
  ): MaybePromise<AgentState>;
  appendSystemPrompt?(params: { readonly state: AgentState }, ctx?: ModContext): MaybePromise<string | undefined>;
  transformContext?(
    params: { readonly messages: readonly Message[]; readonly state: AgentState; readonly signal?: AbortSignal },
    ctx?: ModContext,
  ): MaybePromise<readonly Message[]>;
  beforeToolCall?(
    params: {
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: JsonObject;
      readonly state: AgentState;
    },
    ctx?: ModContext,
  ): MaybePromise<BeforeToolCallResult | undefined | void>;
  afterToolCall?(
    params: {
      readonly toolCallId: string;
      readonly toolName: string;
      /** What the tool ran with. */
      readonly input: JsonObject;
      readonly result: string;
      /** Whether the tool's own execution failed. */
      readonly isError: boolean;
      readonly state: AgentState;
    },
    ctx?: ModContext,
  ): MaybePromise<AfterToolCallResult | undefined | void>;
  onTurnEnd?(
    params: {
      readonly state: AgentState;
      readonly turnNumber: number;
      readonly hadToolCalls: boolean;
      readonly usage: Usage;
    },
    ctx?: ModContext,
  ): MaybePromise<AgentState>;
  shouldStopAfterTurn?(
    params: { readonly state: AgentState; readonly turnNumber: number },
    ctx?: ModContext,
  ): MaybePromise<boolean>;
  prepareNextTurn?(
    params: { readonly state: AgentState; readonly turnNumber: number },
    ctx?: ModContext,
  ): MaybePromise<NextTurn | undefined | void>;
  onStop?(
    params: {
      readonly state: AgentState;
      readonly stopReason: StopReason;
      readonly turnNumber: number;
      readonly lastAssistantText: string;
    },
    ctx?: ModContext,
  ): MaybePromise<OnStopResult | undefined | void>;
  onRunEnd?(params: { readonly state: AgentState; readonly result: RunResult }, ctx?: ModContext): MaybePromise<void>;
  /** Where the harness is closed, once per session that had a turn; `reason` is what `close` was given. */
  onSessionEnd?(params: { readonly reason: string; readonly sessionId: string }, ctx?: ModContext): MaybePromise<void>;
}

export type ModHookName = keyof ModHooks;

/** A plain object of lifecycle hooks that changes the loop. What only watches subscribes to events instead. */
export interface AgentMod extends ModHooks {
  readonly id: string;
  readonly tools?: readonly Tool[];
  /** The limit of each of its hooks, in milliseconds; 60,000. */
  readonly timeoutMs?: number;
}
