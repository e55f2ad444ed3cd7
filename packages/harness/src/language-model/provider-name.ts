/**
 * Provider ids of the AI SDK by their beginning, and the `gen_ai.provider.name` each stands for (semantic conventions for
 * generative AI, attribute registry). The longest beginning that fits is taken. An id that is not here gives its first
 * part: `ollama.chat` is `ollama`, as the convention wants for providers it has no name for.
 */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  "amazon-bedrock": "aws.bedrock",
  anthropic: "anthropic",
  azure: "azure.ai.openai",
  "azure-openai": "azure.ai.openai",
  bedrock: "aws.bedrock",
  cohere: "cohere",
  deepseek: "deepseek",
  google: "gcp.gemini",
  "google.vertex": "gcp.vertex_ai",
  "google-vertex": "gcp.vertex_ai",
  groq: "groq",
  mistral: "mistral_ai",
  moonshotai: "moonshot_ai",
  openai: "openai",
  perplexity: "perplexity",
  vertex: "gcp.vertex_ai",
  watsonx: "ibm.watsonx.ai",
  xai: "x_ai",
};

const BEGINNINGS: readonly string[] = Object.keys(PROVIDER_NAMES).toSorted((left, right) => right.length - left.length);

/** The `gen_ai.provider.name` of an AI SDK provider id such as `anthropic.messages` or `google.generative-ai`. */
export function providerNameOf(providerId: string): string {
  const beginning = BEGINNINGS.find((name) => providerId === name || providerId.startsWith(`${name}.`));
  const name = beginning === undefined ? providerId.split(".")[0] : PROVIDER_NAMES[beginning];
  return name === undefined || name === "" ? "unknown" : name;
}
