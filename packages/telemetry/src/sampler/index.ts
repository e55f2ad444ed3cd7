export type { TurnSamplerOptions } from "./options.ts";
export type { KeepReason } from "./reasons.ts";
export { createTurnSampler, type TurnSampler, type TurnSamplerCounts, type TurnSamplerParts } from "./turn-sampler.ts";
