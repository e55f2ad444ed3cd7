import { userMessage } from "../../src/messages.ts";
import type { ModelClient, ModelRequest, ModelStreamPart } from "../../src/model.ts";

/** A request with nothing in it but what a test gives. */
export function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "model-1",
    system: undefined,
    messages: [userMessage("Hello")],
    tools: [],
    effort: undefined,
    signal: new AbortController().signal,
    ...fields,
  };
}

export async function partsOf(client: ModelClient, fields?: Partial<ModelRequest>): Promise<ModelStreamPart[]> {
  return Array.fromAsync(client.stream(request({ model: client.model, ...fields })));
}

/** What was streamed before the call failed, and the failure. */
export async function failureOf(
  client: ModelClient,
  fields?: Partial<ModelRequest>,
): Promise<{ parts: ModelStreamPart[]; error: unknown }> {
  const parts: ModelStreamPart[] = [];
  try {
    for await (const part of client.stream(request({ model: client.model, ...fields }))) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  throw new Error(`The call did not fail; it streamed ${JSON.stringify(parts)}`);
}
