import { createHookBus, type Clock, type HookBus, type TurnTag } from "@hookscope/hooks";
import { coreOf, type InvocationCore } from "@hookscope/hooks/internal";

import type { Approver } from "./approver.ts";
import { ApprovalDesk } from "./approval-desk.ts";
import { createCompactionMod } from "./compaction/compaction-mod.ts";
import { HarnessError } from "./errors.ts";
import { createEventBus, type EventBus } from "./event-bus.ts";
import { ModTable } from "./mod-table.ts";
import { joinProviders } from "./message-queue.ts";
import type { AgentMod } from "./mods.ts";
import type { ModelClient } from "./model.ts";
import { checkOptions } from "./option-rules.ts";
import type { HarnessOptions } from "./options.ts";
import type { PermissionMode, Permissions } from "./permissions.ts";
import { createTitlingMod } from "./titling/titling-mod.ts";
import { ToolTable } from "./tool-table.ts";

/** The options of a harness, checked and completed. */
export interface HarnessSetup {
  readonly options: HarnessOptions;
  readonly bus: HookBus;
  readonly core: InvocationCore;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly model: ModelClient;
  readonly tools: ToolTable;
  readonly mods: ModTable;
  readonly permissions: Permissions;
  readonly permissionMode: () => PermissionMode;
  readonly approver: Approver | undefined;
  readonly approvals: ApprovalDesk;
  readonly maxTurns: number;
  readonly retry: {
    readonly maxAttempts: number;
    readonly maxUnreachableAttempts: number;
    readonly baseDelayMs: number;
    readonly maxDelayMs: number;
    readonly silentFirst: boolean;
    readonly random: () => number;
  };
  readonly continuationAttempts: number;
  readonly agent: string;
  readonly profile: string;
  readonly platform: string;
  readonly tags: readonly TurnTag[];
  readonly cwd: string;
  readonly recordContent: boolean;
  /** Ids of the sessions whose mods were told that they started. */
  readonly startedSessions: Set<string>;
}

const DEFAULT_APPROVAL_TIMEOUT_MS = 300_000;

/** @throws HarnessError HARNESS_OPTION_INVALID, TOOL_*, MOD_* */
export function createSetup(options: HarnessOptions): HarnessSetup {
  if (typeof options?.model?.stream !== "function") {
    throw new HarnessError(
      "HARNESS_OPTION_INVALID",
      "`model` must be a model client; fromLanguageModel() makes one of an AI SDK model.",
    );
  }
  checkOptions(options);
  const bus = options.bus ?? createHookBus();
  const core = coreOf(bus);
  const events = options.events ?? createEventBus();
  const tools = new ToolTable();
  for (const tool of options.tools ?? []) tools.add(tool);
  return {
    options: withQueues(options),
    bus,
    core,
    clock: core.clock,
    events,
    model: options.model,
    tools,
    mods: new ModTable(core, [...builtInMods(options), ...(options.mods ?? [])]),
    permissions: options.permissions ?? ALLOW_ALL,
    permissionMode: options.permissionMode ?? (() => options.permissions?.mode?.() ?? "default"),
    approver: options.approver,
    approvals: new ApprovalDesk(core.clock, options.approvalTimeoutMs ?? DEFAULT_APPROVAL_TIMEOUT_MS),
    maxTurns: options.maxTurns ?? 50,
    retry: {
      maxAttempts: options.retry?.maxAttempts ?? 10,
      maxUnreachableAttempts: options.retry?.maxUnreachableAttempts ?? 5,
      baseDelayMs: options.retry?.baseDelayMs ?? 500,
      maxDelayMs: options.retry?.maxDelayMs ?? 30_000,
      silentFirst: options.retry?.silentFirst ?? true,
      random: options.retry?.random ?? Math.random,
    },
    continuationAttempts: options.continuation === false ? 0 : (options.continuation?.maxAttempts ?? 3),
    agent: options.agent ?? "agent",
    profile: options.profile ?? "default",
    platform: options.platform ?? "embedded",
    tags: options.tags ?? [],
    cwd: options.cwd ?? ".",
    recordContent: options.recordContent ?? false,
    startedSessions: new Set(),
  };
}

/** What waits in queues is given where the options' own providers are asked. */
function withQueues(options: HarnessOptions): HarnessOptions {
  const queues = new Set([options.queue, options.loadedMods?.queue]);
  let { getSteeringMessages, getFollowUpMessages } = options;
  for (const queue of [...queues].toReversed()) {
    if (queue === undefined) continue;
    getSteeringMessages = joinProviders("getSteeringMessages", () => queue.getSteeringMessages(), getSteeringMessages);
    getFollowUpMessages = joinProviders("getFollowUpMessages", () => queue.getFollowUpMessages(), getFollowUpMessages);
  }
  return {
    ...options,
    ...(getSteeringMessages === undefined ? {} : { getSteeringMessages }),
    ...(getFollowUpMessages === undefined ? {} : { getFollowUpMessages }),
  };
}

/** Before every other mod, the one that counts messages first. */
function builtInMods({ compaction, titling }: HarnessOptions): readonly AgentMod[] {
  return [
    ...(compaction === undefined ? [] : [createCompactionMod(compaction)]),
    ...(titling === undefined ? [] : [createTitlingMod(titling)]),
  ];
}

const ALLOW_ALL: Permissions = { check: () => ({ decision: "allow" }) };
