import type { HookBus, TurnTag } from "@hookscope/hooks";

import type { Approver } from "./approver.ts";
import type { CompactionOptions } from "./compaction/options.ts";
import type { ContinuationOptions } from "./continuation.ts";
import type { EventBus } from "./event-bus.ts";
import type { LoadedMods } from "./loadable/loaded-mods.ts";
import type { MessageProvider, MessageQueue } from "./message-queue.ts";
import type { AgentMod } from "./mods.ts";
import type { ModelClient, ThinkingEffort } from "./model.ts";
import type { PermissionMode, Permissions } from "./permissions.ts";
import type { Plugin } from "./plugin.ts";
import type { Session } from "./session/session.ts";
import type { AgentState } from "./state.ts";
import type { SubagentDefinition } from "./subagent.ts";
import type { TitlingOptions } from "./titling/titling-mod.ts";
import type { ToolSource } from "./tool-source.ts";
import type { Tool } from "./tool.ts";

export type SystemPrompt =
  | string
  | ((input: {
      readonly sessionId: string;
      readonly state: AgentState;
      readonly permissionMode: PermissionMode;
    }) => string | Promise<string>);

export interface RetryOptions {
  /** Attempts of one model call in all; 10. */
  readonly maxAttempts?: number;
  /**
   * The same where the provider is unreachable: the connection is refused, there is no such host or no way to it; 5, which
   * gives up after about 7 s of waits.
   */
  readonly maxUnreachableAttempts?: number;
  /** The wait after the first failure, doubled after each; 500 ms. */
  readonly baseDelayMs?: number;
  /** The longest wait, an answer's own `retry-after` excepted; 30,000 ms. */
  readonly maxDelayMs?: number;
  /** Whether no `api_retry` tells of the first three retries of a call, unless one waits longer than `maxDelayMs`; true. */
  readonly silentFirst?: boolean;
  /** 0 to 1; spreads the waits. */
  readonly random?: () => number;
}

export interface HarnessOptions {
  readonly model: ModelClient;
  /** Finds the client where a mod asks for another model; without it the same client is asked for that model. */
  readonly resolveModel?: (name: string) => ModelClient | undefined;
  readonly tools?: readonly Tool[];
  /** Whose tools come and go, beside the others: MCP servers. The caller opens and closes them. */
  readonly toolSources?: readonly ToolSource[];
  readonly bus?: HookBus;
  readonly mods?: readonly AgentMod[];
  /** Has long conversations summed up for the model, by a mod before all others. */
  readonly compaction?: CompactionOptions;
  /** Has each session given a title, by a model call beside its first round. */
  readonly titling?: TitlingOptions;
  readonly plugins?: readonly Plugin[];
  /** After all other mods. */
  readonly loadedMods?: LoadedMods;
  /** Beside the two providers below, and asked before them. */
  readonly queue?: MessageQueue;
  readonly permissions?: Permissions;
  /** Read once per round. */
  readonly permissionMode?: () => PermissionMode;
  readonly approver?: Approver;
  /** How long a person may take; 300,000 ms. */
  readonly approvalTimeoutMs?: number;
  /** Where turns are recorded, and resumed from where they are given no state. The caller opens and closes it. */
  readonly session?: Session;
  readonly systemPrompt?: SystemPrompt;
  /** Calls of one round one after another, or up to 16 at once; `sequential`. */
  readonly toolExecution?: "sequential" | "parallel";
  /** Rounds of one turn; 50. */
  readonly maxTurns?: number;
  readonly effort?: ThinkingEffort;
  /** An answer that is empty, cut off, paused or only announces something is followed up; false: it is not. */
  readonly continuation?: ContinuationOptions | false;
  readonly retry?: RetryOptions;
  readonly subagents?: { readonly [type: string]: SubagentDefinition };
  /** How deep subagents may start subagents; 2. */
  readonly maxSubagentDepth?: number;
  readonly events?: EventBus;
  /** What was typed while the turn runs; asked for before the first round and after each with tool calls. */
  readonly getSteeringMessages?: MessageProvider;
  /** Asked for when a turn would end by itself; what it gives keeps the turn going. */
  readonly getFollowUpMessages?: MessageProvider;
  /** The durability boundary: once per completed round, with the whole serialisable state. */
  readonly onCommit?: (state: AgentState) => void | Promise<void>;
  /** Arguments, results, prompts and replies on spans, redacted; false. */
  readonly recordContent?: boolean;
  readonly cwd?: string;
  /** For spans, metrics and TurnInfo; low-cardinality names. */
  readonly agent?: string;
  readonly profile?: string;
  readonly platform?: string;
  readonly tags?: readonly TurnTag[];
}
