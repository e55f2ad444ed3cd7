import type { ModelClient, ModLoadResult } from "@hookscope/harness";
import type { HookListing, Logger } from "@hookscope/hooks";

import type { Config } from "../config/config.ts";
import { errorLine } from "../errors.ts";
import type { Recording } from "../recording.ts";
import { createMetering } from "./metering.ts";
import { loadConfiguredMods } from "./mods.ts";
import { createRuntime, type AgentFlags } from "./runtime.ts";

/** What is registered, read from a runtime that was really built. */
export interface Inspection {
  readonly hooks: readonly HookListing[];
  readonly mods: readonly ModLoadResult[];
  /** Why none can be built: nothing would start. */
  readonly problem: string | undefined;
}

export interface InspectRequest {
  readonly config: Config;
  readonly flags: AgentFlags;
  readonly directory: string;
  readonly telemetry: Recording["telemetry"];
  readonly logger: Logger;
}

/** Builds the runtime that `run` would have, looks at it, and closes it again. No turn is run, and nothing is served. */
export async function inspectRuntime({
  config,
  flags,
  directory,
  telemetry,
  logger,
}: InspectRequest): Promise<Inspection> {
  const recording = { telemetry, logger, say: () => undefined };
  try {
    const metering = createMetering({ config, flags: {}, recording, ledger: undefined });
    const { harness, mods } = await createRuntime({ config, flags, directory, model: NO_MODEL, recording, metering });
    const inspection = { hooks: harness.bus.list(), mods: mods.results, problem: undefined };
    await harness.close("looked at");
    await metering.close();
    return inspection;
  } catch (error) {
    return { hooks: [], mods: await modsAlone(config, flags, directory), problem: errorLine(error) };
  }
}

/** Where one that is required keeps the rest from starting, each is looked at all the same. */
async function modsAlone(config: Config, flags: AgentFlags, directory: string): Promise<readonly ModLoadResult[]> {
  const { required: _, ...mods } = config.settings.mods ?? {};
  const unforced = { ...config, settings: { ...config.settings, mods } };
  const loaded = await loadConfiguredMods({ config: unforced, directory, paths: flags.mod ?? [] }).catch(
    () => undefined,
  );
  loaded?.dispose();
  return loaded?.results ?? [];
}

const NO_MODEL: ModelClient = {
  provider: "none",
  model: "none",
  stream: () => {
    throw new Error("no turn is run here");
  },
};
