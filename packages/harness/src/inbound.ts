import { describeError } from "@hookscope/hooks/internal";
import { context as contextApi, propagation, ROOT_CONTEXT, SpanKind, trace, type Context } from "@opentelemetry/api";

import { HarnessError } from "./errors.ts";
import { describeValue, isObject } from "./field-rules.ts";
import { Interruption, untilAborted } from "./interruption.ts";
import type { RunResult } from "./run-result.ts";
import type { TurnScope } from "./scope.ts";
import type { Session } from "./session/session.ts";
import { startingState } from "./session/turn-session.ts";
import type { HarnessSetup } from "./setup.ts";
import { OpenSpan } from "./spans.ts";
import { createAgentState, type AgentState } from "./state.ts";
import { enterTimeBase } from "./time-base.ts";
import { runTurn } from "./turn.ts";

/** A text that came in from somewhere, with where it came from. */
export interface InboundMessage {
  readonly text: string;
  /** Who or what sent it, as the platform names it. */
  readonly source: string;
  readonly platform?: string;
  readonly profile?: string;
  /** Known already; else `resolve` finds it. */
  readonly sessionId?: string;
  /** The message's session, or its state where it is not recorded; default: the harness's session, or a new one. */
  readonly resolve?: (message: {
    readonly text: string;
    readonly source: string;
  }) => AgentState | Session | Promise<AgentState | Session>;
  /** Trace headers that came with it: linked by default, the parent where `traceParent` says so. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly traceParent?: "link" | "parent";
  readonly signal?: AbortSignal;
}

export type Received =
  | { readonly outcome: "turn"; readonly result: RunResult }
  /** `pre_gateway_dispatch` blocked it: nothing was done. */
  | { readonly outcome: "blocked"; readonly reason: string; readonly hook: string }
  /** `post_gateway_admission` handled it: no turn ran. */
  | { readonly outcome: "handled"; readonly reason: string; readonly hook: string }
  /** An interrupt came before the gateway's hooks had their say: no turn ran, nothing was recorded. */
  | { readonly outcome: "interrupted" };

/** A message that the harness took: it ends what it began. */
type TakenMessage = InboundMessage & { readonly signal: AbortSignal };

/**
 * An inbound message on its way: at ingress, its session, admission, then its turn. Rejects only where `resolve` does, or
 * gives what is no state or session, or its session can take no turn.
 */
export async function receiveMessage(
  setup: HarnessSetup,
  message: TakenMessage,
  onOpen: (scope: TurnScope) => void,
): Promise<Received> {
  const platform = message.platform ?? setup.platform;
  const profile = message.profile ?? setup.profile;
  const leaveTimeBase = enterTimeBase(setup.clock);
  const span = openSpan(setup, message, platform);
  try {
    const received = await contextApi.with(span.context, () =>
      orInterrupted(receive(setup, message, { platform, profile, span, onOpen })),
    );
    span.end(setup.clock.now(), { "agent_message.outcome": received.outcome });
    return received;
  } catch (thrown) {
    const { type, message: problem } = describeError(thrown);
    const error = { type, message: setup.core.redactText(problem) };
    span.end(setup.clock.now(), { "agent_message.outcome": "failed" }, error);
    throw thrown;
  } finally {
    leaveTimeBase();
  }
}

const INTERRUPTED: Received = { outcome: "interrupted" };

async function orInterrupted(receiving: Promise<Received>): Promise<Received> {
  try {
    return await receiving;
  } catch (thrown) {
    if (thrown instanceof Interruption) return INTERRUPTED;
    throw thrown;
  }
}

interface Origin {
  readonly platform: string;
  readonly profile: string;
  readonly span: OpenSpan;
  readonly onOpen: (scope: TurnScope) => void;
}

async function receive(
  setup: HarnessSetup,
  message: TakenMessage,
  { platform, profile, span, onOpen }: Origin,
): Promise<Received> {
  const { bus } = setup;
  const parent = span.context;
  const dispatch = await bus.dispatch(
    "pre_gateway_dispatch",
    () => ({ profile, source: message.source, session_id: message.sessionId ?? null, text: message.text }),
    { parent, signal: message.signal },
  );
  if (dispatch.decision === "aborted") return INTERRUPTED;
  if (dispatch.decision === "block") return { outcome: "blocked", reason: dispatch.reason, hook: dispatch.hook };
  const text = dispatch.decision === "modify" ? dispatch.value.text : message.text;
  const { session, state } = await resolveSession(setup, message, text);
  span.set(sessionAttributes(state.sessionId));
  const admission = await bus.dispatch(
    "post_gateway_admission",
    () => ({ session_id: state.sessionId, platform, profile, text }),
    { parent, signal: message.signal },
  );
  if (admission.decision === "aborted") return INTERRUPTED;
  if (admission.decision === "block") return { outcome: "handled", reason: admission.reason, hook: admission.hook };
  const result = await runTurn(setup, {
    state,
    session,
    userInput: text,
    signal: message.signal,
    parent,
    origin: { platform, profile },
    onOpen,
  });
  return { outcome: "turn", result };
}

async function resolveSession(
  { options }: HarnessSetup,
  message: TakenMessage,
  text: string,
): Promise<{ readonly session: Session | undefined; readonly state: AgentState }> {
  const found = await untilAborted(() => message.resolve?.({ text, source: message.source }), message.signal);
  const given: unknown = found;
  if (given !== undefined && !isObject(given)) {
    const problem = `\`resolve\` gave ${describeValue(given)}; it must give an AgentState or a session.`;
    throw new HarnessError("HARNESS_OPTION_INVALID", problem);
  }
  if (found !== undefined && "commit" in found) return { session: found, state: found.state() };
  const id = found?.sessionId ?? message.sessionId;
  const session = id === undefined || id === options.session?.id ? options.session : undefined;
  if (found !== undefined || session !== undefined) return { session, state: startingState(session, found) };
  return { session, state: createAgentState(id === undefined ? {} : { sessionId: id }) };
}

function openSpan(setup: HarnessSetup, message: InboundMessage, platform: string): OpenSpan {
  const inbound = message.headers === undefined ? undefined : extract(message.headers);
  const parent = message.traceParent === "parent" ? inbound : undefined;
  const linked = parent === undefined ? trace.getSpanContext(inbound ?? contextApi.active()) : undefined;
  return new OpenSpan({
    core: setup.core,
    name: `message ${platform}`,
    kind: SpanKind.CONSUMER,
    parent: parent ?? ROOT_CONTEXT,
    startTime: setup.clock.now(),
    attributes: message.sessionId === undefined ? {} : sessionAttributes(message.sessionId),
    ...(linked === undefined ? {} : { links: [{ context: linked }] }),
  });
}

function extract(headers: Readonly<Record<string, string>>): Context {
  return propagation.extract(ROOT_CONTEXT, headers);
}

function sessionAttributes(sessionId: string): { "session.id": string; "gen_ai.conversation.id": string } {
  return { "session.id": sessionId, "gen_ai.conversation.id": sessionId };
}
