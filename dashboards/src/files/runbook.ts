import { kebabCase } from "../kebab-case.ts";

/** The file of an alert's runbook, in docs/runbooks. */
export function runbook(alert: string): string {
  return `${kebabCase(alert)}.md`;
}
