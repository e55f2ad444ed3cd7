import { userMessage, type ModelClient, type ModelRequest, type ModelStreamPart } from "@hookscope/harness";

export function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "asked-for",
    system: undefined,
    messages: [userMessage("Hello")],
    tools: [],
    effort: undefined,
    signal: new AbortController().signal,
    ...fields,
  };
}

export function partsOf(model: ModelClient, fields?: Partial<ModelRequest>): Promise<ModelStreamPart[]> {
  return Array.fromAsync(model.stream(request(fields)));
}

export async function failureOf(
  model: ModelClient,
  fields?: Partial<ModelRequest>,
): Promise<{ parts: unknown[]; error: unknown }> {
  const parts: unknown[] = [];
  try {
    for await (const part of model.stream(request(fields))) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  throw new Error("The call did not fail.");
}

export const response = (number: number): ModelStreamPart => ({
  type: "response",
  id: `response_${number}`,
  model: "asked-for",
});
