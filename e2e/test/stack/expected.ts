import type { FinishedTurn, TurnKind } from "../fixtures/traffic/protocol.ts";

/** What stops a tool call in a kind of turn. */
export const STOPPED: {
  readonly [Kind in TurnKind]?: { readonly tool: string; readonly hook: string; readonly cause: string };
} = {
  "blocked-by-policy": { tool: "shell", hook: "approval_policy", cause: "policy" },
  "blocked-with-secret": { tool: "upload", hook: "secret_guard", cause: "policy" },
  "failing-closed": { tool: "deploy", hook: "fragile_policy", cause: "failure" },
  refused: { tool: "write_file", hook: "approval_policy", cause: "person" },
  "denied-by-permission": { tool: "open_vault", hook: "permissions", cause: "permission" },
  "blocked-by-mod": { tool: "send_mail", hook: "office_hours", cause: "mod" },
  "timed-out": { tool: "fetch", hook: "slow_policy", cause: "failure" },
};

export function isStopped({ kind }: FinishedTurn): boolean {
  return STOPPED[kind] !== undefined;
}

/** The labels of every alert on a blocked call that these turns give cause for, each once. */
export function blockedLabels(turns: readonly FinishedTurn[]): readonly Readonly<Record<string, string>>[] {
  const labels = turns.flatMap(({ kind, agent }) => {
    const stopped = STOPPED[kind];
    return stopped === undefined ? [] : [{ service: "hookscope", agent, ...stopped }];
  });
  return unique(labels);
}

/** Each record or list once, in a fixed order. */
export function unique<Item extends object>(items: readonly Item[]): readonly Item[] {
  const texts = items.map((item) => JSON.stringify(inOrder(item)));
  return [...new Set(texts)].toSorted().map((text) => JSON.parse(text) as Item);
}

function inOrder(item: object): object {
  if (Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
