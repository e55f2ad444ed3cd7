import { expect, test } from "vitest";
import { ODD_NAME, type FinishedTurn, type TurnKind } from "../fixtures/traffic/protocol.ts";
import { alertsOf, type Alert } from "./alerts.ts";
import { STOPPED } from "./expected.ts";
import {
  askJaeger,
  chosen,
  interpolate,
  openDashboard,
  panelOf,
  settle,
  type JaegerTrace,
  type Panel,
} from "./grafana.ts";
import type { Report } from "./report.ts";
import type { Stack } from "./stack.ts";
import { tableOf } from "./transformations.ts";

type Choose = (turns: readonly FinishedTurn[]) => Readonly<Record<string, string>>;

interface SearchCase {
  readonly panel: string;
  readonly by: string;
  /** What the variables are set to. */
  readonly variables: Choose;
  readonly finds: (turn: FinishedTurn, variables: Readonly<Record<string, string>>) => boolean;
}

const TURNS = "Turns by session, agent, outcome and block";
const INVOCATIONS = "Turns by hook, decision and execution";
const ofKind =
  (...kinds: readonly TurnKind[]) =>
  ({ kind }: FinishedTurn) =>
    kinds.includes(kind);

const SEARCHES: readonly SearchCase[] = [
  {
    panel: TURNS,
    by: "session",
    variables: ([, , third]) => ({ session: third?.sessionId ?? "" }),
    finds: ({ sessionId }, { session }) => sessionId === session,
  },
  { panel: TURNS, by: "outcome", variables: () => ({ outcome: "error" }), finds: ofKind("failed-model") },
  {
    panel: TURNS,
    by: "agent and outcome",
    variables: () => ({ agent: "writer", outcome: "error" }),
    finds: (turn) => turn.agent === "writer" && turn.kind === "failed-model",
  },
  {
    panel: TURNS,
    by: "agent and block",
    variables: () => ({ agent: "operator", block: "true" }),
    finds: ({ agent, kind }) => agent === "operator" && STOPPED[kind] !== undefined,
  },
  {
    panel: INVOCATIONS,
    by: "hook and execution",
    variables: () => ({ hook: "fragile_policy", execution: "error" }),
    finds: ofKind("failing-closed"),
  },
  {
    panel: INVOCATIONS,
    by: "hook and decision",
    variables: () => ({ hook: "folder", decision: "modify" }),
    finds: ofKind("changed"),
  },
  {
    panel: INVOCATIONS,
    by: "a hook with an odd name",
    variables: ([first]) => ({ hook: ODD_NAME, session: first?.sessionId ?? "" }),
    finds: ({ sessionId }, { session }) => sessionId === session,
  },
  {
    panel: INVOCATIONS,
    by: "execution",
    variables: () => ({ execution: "timeout" }),
    finds: (turn) => turn.kind === "timed-out",
  },
  {
    panel: INVOCATIONS,
    by: "session and decision",
    variables: (turns) => ({ decision: "block", session: turns.find(ofKind("blocked-by-policy"))?.sessionId ?? "" }),
    finds: ({ sessionId }, { session }) => sessionId === session,
  },
];

/** The tests that lead to Jaeger: the timeline's searches, and the way from an alert to a hook's reason. */
export function jaegerTests(running: () => Stack, report: Report): void {
  test.for(SEARCHES)(
    "the hook timeline finds exactly the right turns by $by",
    async ({ panel, by, variables, finds }) => {
      const { jaeger, prometheus, turns } = running();
      const dashboard = await openDashboard("hookscope-timeline");
      const set = variables(turns);
      const settings = await settle(dashboard, address(set), prometheus);
      const [target = { refId: "A" }] = panelOf(dashboard, panel).targets ?? [];
      const found = (await askJaeger(jaeger.queryUrl, target, settings)).map(({ traceID }) => traceID);
      const expected = turns.filter((turn) => finds(turn, set)).map(({ traceId }) => traceId);
      const right = by === "execution" ? expected.slice(0, 1) : expected;
      report.add("search", `Hook timeline: by ${by}`, `${found.length} turns`);
      expect(found.toSorted()).toEqual(right.toSorted());
      expect(right.length).toBeGreaterThan(0);
    },
  );

  test("each alert on a blocked call leads to its dashboard, to such a turn, to its hook and to the reason", async () => {
    const { turns } = running();
    const alerts = (await alertsOf(running())).filter(({ labels }) =>
      ["ToolCallBlocked", "ToolCallBlockedInSpans", "PolicyFailingClosed"].includes(labels["alertname"] ?? ""),
    );
    expect(alerts.length).toBeGreaterThan(0);
    // After the first of these the hook is suspended.
    const timedOut = turns.find(ofKind("timed-out"));
    for (const alert of alerts) {
      const trace = await follow(alert, "Turns with a blocked call", running());
      const { hook = "", tool = "", cause = "" } = alert.labels;
      const turn = turns.find(({ traceId }) => traceId === trace.traceID);
      expect(STOPPED[turn?.kind ?? "plain"] ?? `${tool} is only waited for`).toEqual({ tool, hook, cause });
      const invocations = tableOf(await invocationsPanel(), trace);
      const own = invocations.filter((row) => row["hook"] === hook);
      expect({ hook, columns: own.map(shown) }).toEqual({ hook, columns: reasons(hook, cause, turn === timedOut) });
    }
    report.add("chain", "alert, dashboard, turn, hook, reason", `${alerts.length} alerts followed`);
  });

  test.for([
    { name: "HookErrors", hook: "fragile_policy", executions: ["error"] },
    { name: "HookTimeoutOrSuspension", hook: "slow_policy", executions: ["timeout", "suspended"] },
  ])("the alert $name leads to a turn in which $hook failed so", async ({ name, hook, executions }) => {
    const alerts = await alertsOf(running());
    const alert = alerts.find(({ labels }) => labels["alertname"] === name && labels["hook"] === hook);
    if (alert === undefined) throw new Error(`${name} does not fire for ${hook}`);
    const trace = await follow(alert, INVOCATIONS, running());
    const own = tableOf(await invocationsPanel(), trace).filter((row) => row["hook"] === hook);
    expect(own.map(({ execution }) => executions.includes(String(execution)))).toEqual([true]);
    report.add("chain", `${name}, timeline, turn, hook`, `${String(own[0]?.["execution"])} of ${hook}`);
  });

  test("the table of invocations says of each hook's span what the span says, and nothing of other spans", async () => {
    const { jaeger, turns } = running();
    for (const kind of ["subagent", "changed", "failing-closed", "timed-out"] as const) {
      const { traceId = "" } = turns.find(ofKind(kind)) ?? {};
      const [trace] = await askJaeger(jaeger.queryUrl, { refId: "A", query: "$traceID" }, setTo(traceId));
      const spans = trace?.spans ?? [];
      const rows = trace === undefined ? [] : tableOf(await invocationsPanel(), trace);
      const tag = (span: (typeof spans)[number], key: string) => span.tags.find((one) => one.key === key)?.value;
      const expected = spans
        .filter((span) => tag(span, "agent_hook.name") !== undefined)
        .map((span) => ({
          start: span.startTime / 1000,
          duration: span.duration / 1000,
          point: tag(span, "agent_hook.point"),
          hook: escaped(tag(span, "agent_hook.name")),
          execution: tag(span, "agent_hook.execution"),
          decision: tag(span, "agent_hook.decision"),
          applied: tag(span, "agent_hook.applied") === undefined ? undefined : String(tag(span, "agent_hook.applied")),
          not_applied: tag(span, "agent_hook.not_applied_reason"),
          reason: escaped(tag(span, "agent_hook.reason")),
        }));
      expect(rows).toEqual(expected);
      expect(rows.length).toBeGreaterThan(3);
    }
  });
}

const blocks = { execution: "ok", decision: "block", applied: "true" };
const fails = { decision: "none", applied: "true" };

/** What the table shows of the hook that stopped a call. */
function reasons(hook: string, cause: string, timedOut: boolean): readonly object[] | undefined {
  return REASONS[timedOut ? "slow_policy timeout" : `${hook} ${cause}`];
}

const REASONS: Readonly<Record<string, readonly object[]>> = {
  "approval_policy policy": [
    { ...blocks, reason: 'it deletes files (approval policy, rule 1 \\"no deletion\\", tool shell)' },
  ],
  "approval_policy person": [
    {
      execution: "ok",
      decision: "ask_user",
      applied: "true",
      reason: 'May it write? (approval policy, rule 2 \\"writes\\", tool write_file)',
    },
  ],
  "secret_guard policy": [{ ...blocks, reason: "the token [redacted:github_token] must not leave" }],
  "office_hours mod": [{ ...blocks, reason: "Mail is sent by day only." }],
  "fragile_policy failure": [
    {
      ...fails,
      execution: "error",
      reason: 'hook \\"fragile_policy\\" failed: Error: the service refused [redacted:github_token]',
    },
  ],
  "slow_policy timeout": [{ ...fails, execution: "timeout", reason: 'hook \\"slow_policy\\" took longer than 15 ms' }],
  "slow_policy failure": [
    {
      ...fails,
      execution: "suspended",
      reason: 'hook \\"slow_policy\\" is suspended after it took longer than 15 ms',
    },
  ],
  // Permissions are asked before any hook: the call's own span has the reason.
  "permissions permission": [],
};

/** A quotation mark in a text keeps its backslash in the table. */
function escaped(value: unknown): string | undefined {
  return typeof value === "string" ? JSON.stringify(value).slice(1, -1) : undefined;
}

function shown({ execution, decision, applied, reason }: Readonly<Record<string, unknown>>): object {
  return { execution, decision, applied, reason };
}

/** From the alert's address to the first turn in a list of its dashboard, and from there to the turn in the timeline. */
async function follow({ annotations }: Alert, list: string, { jaeger, prometheus }: Stack): Promise<JaegerTrace> {
  const url = new URL(annotations["dashboard_url"] ?? "");
  const dashboard = await openDashboard(url.pathname.slice("/d/".length));
  const settings = await settle(dashboard, url.searchParams, prometheus);
  const panel = panelOf(dashboard, list);
  const found = await Promise.all((panel.targets ?? []).map((target) => askJaeger(jaeger.queryUrl, target, settings)));
  const first = found.flat()[0];
  if (first === undefined) throw new Error(`${url.href} finds no turn`);
  const next = new URL(interpolate(cellLink(panel), settings, first.traceID), url);
  const timeline = await openDashboard(next.pathname.slice("/d/".length));
  const there = await settle(timeline, next.searchParams, prometheus);
  const [target = { refId: "A" }] = panelOf(timeline, "Waterfall").targets ?? [];
  const [trace] = await askJaeger(jaeger.queryUrl, target, there);
  if (trace === undefined) throw new Error(`${next.href} shows no turn`);
  return trace;
}

function cellLink({ fieldConfig }: Panel): string {
  const properties = fieldConfig?.overrides.find(({ matcher }) => matcher.options === "traceID")?.properties ?? [];
  const links = properties.find(({ id }) => id === "links")?.value as readonly { readonly url: string }[] | undefined;
  return links?.[0]?.url ?? "";
}

async function invocationsPanel(): Promise<Panel> {
  return panelOf(await openDashboard("hookscope-timeline"), "Hook invocations");
}

const address = (variables: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(variables).map(([name, value]): [string, string] => [`var-${name}`, value]));

const setTo = (traceID: string) => new Map([["traceID", chosen(traceID)]]);
