import {
  defineHook,
  type ApprovalChoice,
  type Clock,
  type Hook,
  type HookContext,
  type HookEventAt,
  type TurnInfo,
} from "@hookscope/hooks";

import type { TraceReference } from "../cells/cell.ts";
import { TOKEN_TYPES, TOOL_OUTCOMES, type BlockCause, type RequestOutcome } from "../definitions.ts";
import type { Families } from "../families.ts";
import type { Exemplars } from "./exemplars.ts";
import { Open } from "./open.ts";
import { tokensOf } from "./tokens.ts";
import type { KnownTools } from "./tools.ts";

/**
 * The observer `usage`: tool calls, approvals, turns, model calls and their tokens. It is at no `pre_tool_call`, where its
 * failure would block. A subagent's turn fires its own events, so each model call is counted once.
 */
export function createUsageHook(families: Families, exemplars: Exemplars, tools: KnownTools, clock: Clock): Hook {
  const recorder = new UsageRecorder(families, exemplars, tools, clock);
  return defineHook({
    name: "usage",
    on: {
      pre_llm_call: ({ turn }) => recorder.turnStarted(turn),
      post_api_request: (event, context) => recorder.modelCall(event, "ok", context),
      api_request_error: (event, context) => recorder.modelCall(event, "error", context),
      post_tool_call: (event, context) => recorder.toolCall(event, context),
      pre_approval_request: (event) => recorder.asked(event),
      post_approval_response: (event, context) => recorder.answered(event, context),
      on_session_end: (event, context) => recorder.turnEnded(event, context),
    },
  });
}

interface Question {
  readonly tool: string;
  readonly turn: string;
}

class UsageRecorder {
  readonly #families: Families;
  readonly #exemplars: Exemplars;
  readonly #tools: KnownTools;
  readonly #clock: Clock;
  /** Turns by id, with the time they started. */
  readonly #turns = new Open<number>();
  readonly #questions = new Open<Question>();

  constructor(families: Families, exemplars: Exemplars, tools: KnownTools, clock: Clock) {
    this.#families = families;
    this.#exemplars = exemplars;
    this.#tools = tools;
    this.#clock = clock;
    families.agent_turns_in_flight.onCollect(() => families.agent_turns_in_flight.set({}, this.#turns.size));
    families.agent_approvals_waiting.onCollect(() => this.#collectWaiting());
  }

  turnStarted({ turn_id, agent }: TurnInfo): void {
    this.#turns.start(turn_id, this.#clock.now());
    this.#tools.agent(agent);
  }

  turnEnded({ payload, turn }: HookEventAt<"on_session_end">, context: HookContext): void {
    const { agent, turn_id } = turn;
    const failed = payload.failed ? this.#exemplars.of(context.span, true) : undefined;
    const outcome = payload.stop_reason;
    const subagent = turn.parent_turn_id === undefined ? "false" : "true";
    this.#families.agent_turns_total.add({ agent, outcome, subagent }, 1, failed);
    const started = this.#turns.end(turn_id);
    if (started !== undefined) {
      const duration = (this.#clock.now() - started) / 1000;
      this.#observe("agent_turn_duration_seconds", { agent }, duration, context, failed);
    }
    const hookTime = context.turn?.attributes()["agent_turn.hook_time"];
    if (typeof hookTime === "number") this.#observe("agent_turn_hook_time_seconds", { agent }, hookTime, context);
    for (const [id, question] of this.#questions.entries()) if (question.turn === turn_id) this.#questions.end(id);
  }

  modelCall(
    { payload, turn }: HookEventAt<"post_api_request"> | HookEventAt<"api_request_error">,
    outcome: RequestOutcome,
    context: HookContext,
  ): void {
    const { provider, model, usage } = payload;
    const labels = { provider, model, outcome };
    const trace = outcome === "error" ? this.#exemplars.of(context.span) : undefined;
    this.#observe("agent_model_request_duration_seconds", labels, seconds(payload.duration_ms), context, trace);
    if (usage === undefined) return;
    const { agent, profile } = turn;
    const tokens = tokensOf(usage);
    for (const type of TOKEN_TYPES) {
      this.#families.agent_tokens_total.add({ provider, model, type, agent, profile }, tokens[type]);
    }
  }

  toolCall({ payload, turn }: HookEventAt<"post_tool_call">, context: HookContext): void {
    const { tool_name: tool, status, cause, hook = "none", hook_wait_ms } = payload;
    const { agent } = turn;
    const isStopped = status === "blocked" || status === "denied";
    // A cancelled call is nobody's failure.
    const trace = isStopped || status === "error" ? this.#exemplars.of(context.span, isStopped) : undefined;
    this.#families.agent_tool_calls_total.add({ tool, agent, outcome: TOOL_OUTCOMES[status] }, 1, trace);
    if (isStopped) {
      const why: BlockCause = cause === undefined || cause === "interrupt" ? "policy" : cause;
      this.#families.agent_tool_calls_blocked_total.add({ tool, hook, cause: why, agent }, 1, trace);
    }
    if (status === "ok" || status === "error") {
      this.#observe("agent_tool_duration_seconds", { tool }, seconds(payload.duration_ms), context, trace);
    }
    if (hook_wait_ms !== undefined) {
      this.#observe("agent_tool_hook_wait_seconds", { tool }, seconds(hook_wait_ms), context);
    }
  }

  asked({ payload, turn }: HookEventAt<"pre_approval_request">): void {
    this.#questions.start(payload.approval_id, { tool: payload.tool_name, turn: turn.turn_id });
  }

  answered({ payload }: HookEventAt<"post_approval_response">, context: HookContext): void {
    const { tool_name: tool, choice, wait_ms, approval_id } = payload;
    const trace = IS_GRANT[choice] ? undefined : this.#exemplars.of(context.span, choice !== "cancelled");
    this.#families.agent_approvals_total.add({ tool, choice }, 1, trace);
    this.#observe("agent_approval_wait_seconds", {}, seconds(wait_ms), context);
    this.#questions.end(approval_id);
  }

  /** A tool that was once waited for stays, at 0. */
  #collectWaiting(): void {
    const gauge = this.#families.agent_approvals_waiting;
    for (const cell of gauge.series) cell.value = 0;
    for (const [, { tool }] of this.#questions.entries()) gauge.add({ tool }, 1);
  }

  /** With the trace where it is notable, or slow. */
  #observe<Name extends ObservedHere>(
    name: Name,
    labels: Parameters<Families[Name]["observe"]>[0],
    seconds: number,
    context: HookContext,
    trace?: TraceReference,
  ): void {
    const family = this.#families[name] as unknown as ObservedFamily;
    const ifSlow = (): TraceReference | undefined =>
      family.isSlow(seconds) ? this.#exemplars.of(context.span) : undefined;
    family.observe(labels, seconds, trace ?? ifSlow());
  }
}

type ObservedHere =
  | "agent_turn_duration_seconds"
  | "agent_turn_hook_time_seconds"
  | "agent_model_request_duration_seconds"
  | "agent_tool_duration_seconds"
  | "agent_tool_hook_wait_seconds"
  | "agent_approval_wait_seconds";

interface ObservedFamily {
  observe(labels: object, seconds: number, trace: TraceReference | undefined): void;
  isSlow(seconds: number): boolean;
}

/** A payload's snapshot has null for what is no finite number, and null would count as no time at all. */
function seconds(milliseconds: number): number {
  return typeof milliseconds === "number" ? milliseconds / 1000 : Number.NaN;
}

const IS_GRANT: { readonly [Choice in ApprovalChoice]: boolean } = {
  once: true,
  session: true,
  always: true,
  deny: false,
  timeout: false,
  cancelled: false,
  unavailable: false,
};
