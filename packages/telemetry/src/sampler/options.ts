import { TelemetryError } from "../errors.ts";

/** What is kept beside blocks, failures and timeouts, and how much may wait for the decision. */
export interface TurnSamplerOptions {
  /** The part of the other turns that is kept, 0 to 1; default 0.1. By trace id: services with the same share agree. */
  readonly share?: number;
  /** A turn that takes at least this long is kept, in milliseconds; default 60,000. Infinity: none for that reason. */
  readonly slowTurnMs?: number;
  /** A turn whose `agent_turn.cost_usd` is at least this is kept, in US dollars; default 1. Infinity: none for that reason. */
  readonly costlyTurnUsd?: number;
  /** Undecided turns whose spans are held; default 1,000. */
  readonly maxTurns?: number;
  /** Spans held, of all turns; default 50,000. */
  readonly maxSpans?: number;
  /** Their size, estimated from their strings, in bytes; default 67,108,864. */
  readonly maxBytes?: number;
}

export type TurnSamplerSettings = Required<TurnSamplerOptions>;

/** @throws {TelemetryError} TELEMETRY_OPTION_INVALID */
export function readSamplerSettings(options: TurnSamplerOptions): TurnSamplerSettings {
  return {
    share: checked(options, "share", 0.1, (value) => value >= 0 && value <= 1, "a number from 0 to 1"),
    slowTurnMs: checked(options, "slowTurnMs", 60_000, isPositive, "a positive number of milliseconds, or Infinity"),
    costlyTurnUsd: checked(options, "costlyTurnUsd", 1, isPositive, "a positive number of US dollars, or Infinity"),
    maxTurns: checked(options, "maxTurns", 1_000, isCount, COUNT),
    maxSpans: checked(options, "maxSpans", 50_000, isCount, COUNT),
    maxBytes: checked(options, "maxBytes", 67_108_864, isCount, COUNT),
  };
}

function checked(
  options: TurnSamplerOptions,
  key: keyof TurnSamplerOptions,
  fallback: number,
  isFine: (value: number) => boolean,
  what: string,
): number {
  const value: unknown = options[key];
  if (value === undefined) return fallback;
  if (typeof value === "number" && isFine(value)) return value;
  throw new TelemetryError("TELEMETRY_OPTION_INVALID", `turnSampler.${key} must be ${what}`);
}

const COUNT = "a whole number of at least 1";

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}

function isPositive(value: number): boolean {
  return value > 0;
}
