import {
  builtInTools,
  createHarness,
  createPermissions,
  type Approver,
  type Harness,
  type HarnessOptions,
  type LoadedMods,
  type ModelClient,
  type PermissionMode,
  type Session,
} from "@hookscope/harness";
import { createHookBus, type Hook, type Logger } from "@hookscope/hooks";

import type { Config } from "../config/config.ts";
import type { Recording } from "../recording.ts";
import { BUDGET_MOD_ID, createBudgetMod } from "./budget-mod.ts";
import type { Metering } from "./metering.ts";
import { loadConfiguredMods, requireMods } from "./mods.ts";
import { loadConfiguredPlugins } from "./plugins.ts";
import { createConfiguredPolicy } from "./policy.ts";

/** Flags that win over the file's [agent] and [mods]. */
export interface AgentFlags {
  readonly profile?: string;
  readonly permissionMode?: PermissionMode;
  readonly maxRounds?: number;
  /** `--mod`, as often as it was given. */
  readonly mod?: readonly string[];
}

export interface RuntimeRequest {
  readonly config: Config;
  readonly flags: AgentFlags;
  readonly directory: string;
  readonly model: ModelClient;
  readonly recording: Pick<Recording, "telemetry" | "logger">;
  readonly metering: Metering;
  readonly session?: Session;
  readonly approver?: Approver;
  /** Between the policy and the plugins: where a gateway's `live_feed` goes. */
  readonly feeds?: readonly Hook[];
}

/** A harness as the configuration wants it. The caller closes it. */
export interface Runtime {
  readonly harness: Harness;
  readonly mods: LoadedMods;
}

const AGENT = "hookscope";
/** The harness's own. */
const DEFAULT_PROFILE = "default";

/** Of a conversation that is summed up, one part in so many stays as it is. */
const KEPT_PART = 6;

const SYSTEM_PROMPT =
  "You are a careful assistant at a terminal. Work in the current folder with the tools you have, and be brief.";

/**
 * Builds the loop. Hooks run in this order: the approval policy, feeds, the plugins as listed, the metrics' observers.
 *
 * @throws CommandError PLUGIN_LOAD_FAILED, HarnessError MOD_REQUIRED_FAILED, PLUGIN_INVALID, POLICY_RULE_INVALID
 */
export async function createRuntime(request: RuntimeRequest): Promise<Runtime> {
  const { config, flags, directory, model, recording, metering, session, approver, feeds = [] } = request;
  const { settings } = config;
  const profile = flags.profile ?? settings.agent?.profile ?? DEFAULT_PROFILE;
  const hasBudgets = (settings.metrics?.budgets ?? []).length > 0;
  const hooks = [createConfiguredPolicy(settings.policy), ...feeds];
  const bus = createHookBus({ hooks, logger: withoutMissingMods(recording.logger) });
  const tools = builtInTools({ root: directory });
  const plugins = await loadConfiguredPlugins(config);
  const mods = await loadConfiguredMods({
    config,
    directory,
    paths: flags.mod ?? [],
    taken: hasBudgets ? [BUDGET_MOD_ID] : [],
    ...(session === undefined ? {} : { session: () => session }),
  });
  const harness = createHarness({
    agent: AGENT,
    platform: "terminal",
    model,
    systemPrompt: SYSTEM_PROMPT,
    bus,
    tools,
    plugins,
    mods: hasBudgets ? [createBudgetMod(metering.metrics.budget, profile)] : [],
    loadedMods: mods,
    cwd: directory,
    profile,
    recordContent: recording.telemetry.recordContent,
    retry: { silentFirst: false },
    ...agentOptions(config, flags),
    ...(session === undefined ? {} : { session }),
    ...(approver === undefined ? {} : { approver }),
  });
  requireMods(mods, settings.mods?.required);
  metering.watch(bus, { agent: AGENT, tools: tools.map(({ name }) => name) });
  for (const { name, status } of mods.results) if (status === "failed") metering.metrics.modLoadFailed(name);
  return { harness, mods };
}

function agentOptions(
  { settings: { agent = {}, sessions = {} } }: Config,
  flags: AgentFlags,
): Pick<HarnessOptions, "maxTurns" | "permissions" | "titling" | "compaction"> {
  const maxRounds = flags.maxRounds ?? agent.max_rounds;
  const most = sessions.compact_above_tokens;
  const mode = flags.permissionMode ?? agent.permission_mode;
  return {
    ...(maxRounds === undefined ? {} : { maxTurns: maxRounds }),
    ...(mode === undefined ? {} : { permissions: createPermissions({ mode }) }),
    ...(sessions.titles === true ? { titling: {} } : {}),
    ...(most === undefined ? {} : { compaction: { thresholdTokens: most, keepTokens: Math.floor(most / KEPT_PART) } }),
  };
}

/**
 * Stands in for a mod that failed to load, so that its absence is seen in the trace. Whoever builds a runtime says why it
 * is missing, in words of its own: the bus need not say it again.
 */
const MISSING_MOD = / \(not loaded\)$/;

function withoutMissingMods(logger: Logger): Logger {
  return {
    warn(message, fields) {
      const isMissing = fields?.["point"] === "onSessionStart" && MISSING_MOD.test(String(fields["hook"]));
      if (!isMissing) logger.warn(message, fields);
    },
  };
}
