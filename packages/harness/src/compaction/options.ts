import { HarnessError } from "../errors.ts";
import type { ModelClient } from "../model.ts";

export interface CompactionOptions {
  /** A conversation of more estimated tokens than this is compacted; 120,000. */
  readonly thresholdTokens?: number;
  /** So many estimated tokens at its end are kept as they are; 20,000. */
  readonly keepTokens?: number;
  /** Writes the summary; default: the harness's model. */
  readonly model?: ModelClient;
  /** How long the model may take to write the summary, in milliseconds; 120,000. */
  readonly timeoutMs?: number;
}

export interface CompactionLimits {
  readonly thresholdTokens: number;
  readonly keepTokens: number;
  readonly timeoutMs: number;
}

/** @throws HarnessError HARNESS_OPTION_INVALID */
export function readLimits(options: CompactionOptions): CompactionLimits {
  const { thresholdTokens = 120_000, keepTokens = 20_000, timeoutMs = 120_000 } = options;
  for (const [name, value] of Object.entries({ thresholdTokens, keepTokens, timeoutMs })) {
    if (!(Number.isFinite(value) && value > 0)) {
      throw new HarnessError(
        "HARNESS_OPTION_INVALID",
        `\`compaction.${name}\` is ${value}; it must be a number above 0.`,
      );
    }
  }
  if (keepTokens >= thresholdTokens) {
    throw new HarnessError(
      "HARNESS_OPTION_INVALID",
      `\`compaction.keepTokens\` is ${keepTokens}, which is not below \`thresholdTokens\`, ${thresholdTokens}: nothing would be saved.`,
    );
  }
  return { thresholdTokens, keepTokens, timeoutMs };
}
