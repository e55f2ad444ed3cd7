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
import { createHookBus, type Hook } from "@hookscope/hooks";

import type { Config } from "../config/config.ts";
import type { Recording } from "../recording.ts";
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
  const bus = createHookBus({ hooks: [createConfiguredPolicy(settings.policy), ...feeds], logger: recording.logger });
  const tools = builtInTools({ root: directory });
  const plugins = await loadConfiguredPlugins(config);
  const mods = await loadConfiguredMods({
    config,
    directory,
    paths: flags.mod ?? [],
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
    loadedMods: mods,
    cwd: directory,
    recordContent: recording.telemetry.recordContent,
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
  { settings: { agent = {} } }: Config,
  flags: AgentFlags,
): Pick<HarnessOptions, "profile" | "maxTurns" | "permissions"> {
  const profile = flags.profile ?? agent.profile;
  const maxRounds = flags.maxRounds ?? agent.max_rounds;
  const mode = flags.permissionMode ?? agent.permission_mode;
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(maxRounds === undefined ? {} : { maxTurns: maxRounds }),
    ...(mode === undefined ? {} : { permissions: createPermissions({ mode }) }),
  };
}
