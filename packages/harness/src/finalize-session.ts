import { TurnTotals, type TurnInfo } from "@hookscope/hooks";
import { ROOT_CONTEXT, SpanKind, type Link } from "@opentelemetry/api";

import { invokeMod } from "./mod-runner.ts";
import { TurnScope } from "./scope.ts";
import type { Session } from "./session/session.ts";
import type { HarnessSetup } from "./setup.ts";
import { OpenSpan } from "./spans.ts";

/** A session that had a turn; what is known of it is of the last one. */
export interface OpenSession {
  readonly turn: TurnInfo;
  readonly link: Link;
  readonly session: Session | undefined;
}

/** Tells a session's mods and hooks that it is torn down: a root span of its own, linked to its last turn. */
export async function finalizeSession(
  setup: HarnessSetup,
  { turn, link, session }: OpenSession,
  reason: string,
): Promise<void> {
  const { core, clock, bus } = setup;
  const span = new OpenSpan({
    core,
    name: `session ${turn.agent}`,
    kind: SpanKind.INTERNAL,
    parent: ROOT_CONTEXT,
    startTime: clock.now(),
    turn,
    links: [link],
    attributes: {},
  });
  await endModSession(setup, { turn, span, session }, reason);
  const payload = { session_id: turn.session_id, reason };
  await bus.dispatch("on_session_finalize", () => payload, { turn, parent: span.context });
  span.end(clock.now());
}

async function endModSession(
  setup: HarnessSetup,
  { turn, span, session }: Pick<OpenSession, "turn" | "session"> & { readonly span: OpenSpan },
  reason: string,
): Promise<void> {
  const sites = setup.mods.with("onSessionEnd");
  if (sites.length === 0) return;
  const scope = new TurnScope({
    setup,
    turn,
    span,
    totals: new TurnTotals(undefined),
    signal: new AbortController().signal,
    depth: 0,
    approvalLane: { sessionId: turn.session_id },
    session,
  });
  const params = { reason, sessionId: turn.session_id };
  for (const site of sites) await invokeMod(scope, site, { hook: "onSessionEnd", params });
}
