import type { Logger } from "@hookscope/hooks";

import type { TelemetryErrorCode } from "./errors.ts";

/** Says something with its code. A logger that throws is not felt by the agent. */
export type Warn = (code: TelemetryErrorCode, message: string, fields?: Readonly<Record<string, unknown>>) => void;

export function createWarn(logger: Logger = standardErrorLogger): Warn {
  return (code, message, fields) => {
    try {
      logger.warn(`${code}: ${message}`, { code, ...fields });
    } catch {
      // Nobody is left to tell.
    }
  };
}

/** The message of whatever was thrown; reading it never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown);
    return thrown.message === "" ? thrown.name : thrown.message;
  } catch {
    return "something that cannot be read was thrown";
  }
}

const standardErrorLogger: Logger = {
  warn: (message) => {
    process.stderr.write(`[hookscope] ${message}\n`);
  },
};
