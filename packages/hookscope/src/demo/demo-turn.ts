import { builtInTools, createHarness, type Approver, type Received } from "@hookscope/harness";
import { createHookBus, createSystemClock, type Logger } from "@hookscope/hooks";

import { DEMO_HOOKS, DEMO_MOD } from "./hooks.ts";
import { createCheckerModel, createMaintainerModel, MESSAGE } from "./script.ts";

export interface DemoTurnRequest {
  /** The folder the tools work in. */
  readonly root: string;
  readonly approver: Approver;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The demo's message, worked to completion: everything is real but the model's words. */
export async function runDemoTurn({ root, approver, logger, signal }: DemoTurnRequest): Promise<Received> {
  const clock = createSystemClock();
  const harness = createHarness({
    agent: "maintainer",
    platform: "terminal",
    model: createMaintainerModel(clock),
    bus: createHookBus({ hooks: DEMO_HOOKS, clock, logger }),
    mods: [DEMO_MOD],
    tools: builtInTools({ root }),
    subagents: {
      checker: { description: "checks a change", tools: ["read_file", "shell"], model: createCheckerModel(clock) },
    },
    toolExecution: "parallel",
    approver,
    cwd: root,
  });
  try {
    return await harness.receive({ text: MESSAGE, source: "you", signal });
  } finally {
    await harness.close("the demo has ended");
  }
}
