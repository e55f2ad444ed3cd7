import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";

import type { ModelRequest, ToolDefinition } from "../model.ts";
import { toPrompt } from "./prompt.ts";

/** Options of a call that the harness has no opinion on. */
export type CallSettings = Readonly<
  Pick<
    LanguageModelV4CallOptions,
    | "temperature"
    | "topP"
    | "topK"
    | "presencePenalty"
    | "frequencyPenalty"
    | "seed"
    | "stopSequences"
    | "headers"
    | "providerOptions"
  >
>;

/**
 * A request in the AI SDK's words. What is not asked for is left out: providers tell an absent option from an undefined
 * one. No part of a prompt made here differs between V2, V3 and V4.
 */
export function toCallOptions(request: ModelRequest, settings: CallSettings = {}): LanguageModelV4CallOptions {
  return {
    ...settings,
    prompt: toPrompt(request),
    abortSignal: request.signal,
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool) }),
    ...(request.effort !== undefined && { reasoning: request.effort }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
  };
}

function toTool(tool: ToolDefinition): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema as LanguageModelV4FunctionTool["inputSchema"],
  };
}
