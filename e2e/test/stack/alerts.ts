import type { Stack } from "./stack.ts";

/** An alert as Alertmanager has it. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: { readonly inhibitedBy: readonly string[] };
}

export async function alertsOf({ alertmanager }: Pick<Stack, "alertmanager">): Promise<readonly Alert[]> {
  const response = await fetch(`${alertmanager.url}/api/v2/alerts`);
  if (!response.ok) throw new Error(`Alertmanager answered ${response.status}`);
  return (await response.json()) as readonly Alert[];
}
