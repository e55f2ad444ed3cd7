import { AGENT_TOOL_NAME, builtInTools, createHarness, type Approver, type Received } from "@hookscope/harness";
import { createHookBus, createSystemClock, type HookBus, type Logger } from "@hookscope/hooks";

import type { Metering } from "../runtime/metering.ts";
import { DEMO_HOOKS, DEMO_MODS } from "./hooks.ts";
import { createCheckerModel, createMaintainerModel, MESSAGE } from "./script.ts";
import type { Variation } from "./variation.ts";
import { createWorkspace } from "./workspace.ts";

export interface DemoTurnRequest {
  readonly bus: HookBus;
  readonly variation: Variation;
  readonly approver: Approver;
  readonly recordContent: boolean;
  readonly signal: AbortSignal;
}

const AGENT = "maintainer";

/** One bus for all turns of the command, so that counts go on. */
export function createDemoBus(logger: Logger, metering: Metering): HookBus {
  const bus = createHookBus({ hooks: DEMO_HOOKS, logger });
  const tools = [...builtInTools({ root: "." }).map(({ name }) => name), AGENT_TOOL_NAME];
  metering.watch(bus, { agent: AGENT, tools });
  return bus;
}

/** The demo's message, worked to completion on a throw-away copy: everything is real but the model's words. */
export async function runDemoTurn({
  bus,
  variation,
  approver,
  recordContent,
  signal,
}: DemoTurnRequest): Promise<Received> {
  const workspace = await createWorkspace();
  const clock = createSystemClock();
  const harness = createHarness({
    agent: AGENT,
    platform: "terminal",
    profile: variation.profile,
    model: createMaintainerModel(clock, variation),
    bus,
    mods: DEMO_MODS,
    tools: builtInTools({ root: workspace.root }),
    subagents: {
      checker: {
        description: "checks a change",
        tools: ["read_file", "shell"],
        model: createCheckerModel(clock, variation),
      },
    },
    toolExecution: "parallel",
    approver,
    cwd: workspace.root,
    recordContent,
  });
  try {
    return await harness.receive({ text: MESSAGE, source: "you", signal });
  } finally {
    await harness.close("the demo has ended");
    await workspace.remove();
  }
}
