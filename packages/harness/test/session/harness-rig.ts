import { createHarness, type Harness, type HarnessOptions, type Tool } from "@hookscope/harness";
import { createScriptedModel, type RecordedRequest, type Script } from "@hookscope/testing";

export const ECHO: Tool = {
  name: "echo",
  description: "Gives back what it is given.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  risk: "low",
  execute: ({ input }) => Promise.resolve({ content: String(input["text"]) }),
};

export interface HarnessRig {
  readonly harness: Harness;
  readonly requests: readonly RecordedRequest[];
}

/** A harness whose model follows the script. */
export function buildHarness(steps: Script, options: Partial<HarnessOptions>): HarnessRig {
  const model = createScriptedModel({ steps });
  return { harness: createHarness({ model, tools: [ECHO], ...options }), requests: model.requests };
}
