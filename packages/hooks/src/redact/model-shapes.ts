import type { SecretShape } from "./secret-shape.ts";

/** Model providers and the services around them. */
export const MODEL_SHAPES: readonly SecretShape[] = [
  {
    id: "anthropic_api_key",
    description: "Anthropic API, admin or OAuth key",
    pattern: /(?<![A-Za-z])sk-ant-[A-Za-z0-9_-]{20,}/,
    hints: ["sk-ant-"],
  },
  {
    id: "openai_api_key",
    description: "OpenAI API key",
    pattern: /sk-(?:(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{32,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,})/,
    hints: ["sk-"],
  },
  {
    id: "sk_api_key",
    description: "API key of the many providers whose keys begin with sk- (OpenRouter, DeepSeek, Langfuse and others)",
    pattern: /(?<![A-Za-z0-9_-])[ck]?sk-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,}/,
    hints: ["sk-"],
  },
  {
    id: "groq_api_key",
    description: "Groq API key",
    pattern: /(?<![A-Za-z])gsk_[A-Za-z0-9]{40,}/,
    hints: ["gsk_"],
  },
  {
    id: "huggingface_token",
    description: "Hugging Face user access or organisation token",
    pattern: /(?<![A-Za-z])(?:hf|api_org)_[A-Za-z]{34,}/,
    hints: ["hf_", "api_org_"],
  },
  {
    id: "xai_api_key",
    description: "xAI API key",
    pattern: /(?<![A-Za-z])xai-[A-Za-z0-9]{60,}/,
    hints: ["xai-"],
  },
  {
    id: "perplexity_api_key",
    description: "Perplexity API key",
    pattern: /(?<![A-Za-z])pplx-[A-Za-z0-9]{40,}/,
    hints: ["pplx-"],
  },
  {
    id: "replicate_token",
    description: "Replicate API token",
    pattern: /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{37,}/,
    hints: ["r8_"],
  },
  {
    id: "nvidia_api_key",
    description: "NVIDIA API key",
    pattern: /(?<![A-Za-z])nvapi-[A-Za-z0-9_-]{40,}/,
    hints: ["nvapi-"],
  },
  {
    id: "langsmith_api_key",
    description: "LangSmith API key",
    pattern: /(?<![A-Za-z])lsv2_(?:pt|sk)_[A-Za-z0-9_]{32,}/,
    hints: ["lsv2_"],
  },
  {
    id: "tavily_api_key",
    description: "Tavily API key",
    pattern: /(?<![A-Za-z])tvly-[A-Za-z0-9-]{24,}/,
    hints: ["tvly-"],
  },
];
