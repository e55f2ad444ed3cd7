import type { Logger } from "@hookscope/hooks";

export interface Warning {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that keeps what it is told, in order. */
export interface WarningCollector extends Logger {
  readonly warnings: readonly Warning[];
  /** The messages alone. */
  readonly messages: readonly string[];
}

export function collectWarnings(): WarningCollector {
  const warnings: Warning[] = [];
  return {
    warn: (message, fields = {}) => void warnings.push({ message, fields }),
    warnings,
    get messages() {
      return warnings.map(({ message }) => message);
    },
  };
}
