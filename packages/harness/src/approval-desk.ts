import type { ApprovalChoice, ApprovalRequestPayload, Clock } from "@hookscope/hooks";
import { sameJson } from "@hookscope/hooks/internal";

import type { Approver } from "./approver.ts";

export interface Approval {
  readonly choice: ApprovalChoice;
  readonly waitMs: number;
}

/** Shared by a turn and its subagents: the person they ask sees one conversation. */
export interface ApprovalLane {
  readonly sessionId: string;
}

/** An answer that holds longer than once: in one session, or, without one, as long as the harness lives. */
interface Remembered {
  readonly sessionId: string | undefined;
  readonly request: ApprovalRequestPayload;
}

/**
 * Where questions to a person are put, those of one turn and its subagents one at a time, and where answers that hold
 * longer than once are kept. What a person approved for longer is what they saw: the same question of the same hook about
 * the same call, its arguments included, is not put again in that session (`session`), or as long as the harness lives
 * (`always`).
 */
export class ApprovalDesk {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #remembered: Remembered[] = [];
  readonly #lanes = new WeakMap<ApprovalLane, Promise<unknown>>();

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  isRemembered({ sessionId }: ApprovalLane, request: ApprovalRequestPayload): boolean {
    return this.#remembered.some(
      (answer) =>
        (answer.sessionId === undefined || answer.sessionId === sessionId) && asksTheSame(answer.request, request),
    );
  }

  /** Does the work when what came before it in the lane is done. */
  oneAtATime<Value>(lane: ApprovalLane, work: () => Promise<Value>): Promise<Value> {
    const done = (this.#lanes.get(lane) ?? Promise.resolve()).then(work);
    this.#lanes.set(
      lane,
      done.catch(() => undefined),
    );
    return done;
  }

  /** Waits for the answer, but not past the limit or the signal. Never rejects. */
  async ask(
    { sessionId }: ApprovalLane,
    request: ApprovalRequestPayload,
    approver: Approver | undefined,
    signal: AbortSignal,
  ): Promise<Approval> {
    const start = this.#clock.now();
    const choice = await this.#choose(request, approver, signal);
    if (choice === "session") this.#remembered.push({ sessionId, request });
    if (choice === "always") this.#remembered.push({ sessionId: undefined, request });
    return { choice, waitMs: Math.max(0, this.#clock.now() - start) };
  }

  async #choose(
    request: ApprovalRequestPayload,
    approver: Approver | undefined,
    signal: AbortSignal,
  ): Promise<ApprovalChoice> {
    if (signal.aborted) return "cancelled";
    if (approver === undefined) return "unavailable";
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<ApprovalChoice>();
    const cancel = (): void => resolve("cancelled");
    signal.addEventListener("abort", cancel, { once: true });
    const timer = this.#clock.setTimer(() => resolve("timeout"), this.#timeoutMs);
    askSafely(approver, request, controller.signal).then(resolve, () => resolve("unavailable"));
    const choice = await promise;
    signal.removeEventListener("abort", cancel);
    timer.cancel();
    controller.abort();
    return choice;
  }
}

const ANSWERS: ReadonlySet<string> = new Set<ApprovalChoice>(["once", "session", "always", "deny"]);

/** An approver that throws could not ask; one that answers nonsense did not allow anything. */
async function askSafely(
  approver: Approver,
  request: ApprovalRequestPayload,
  signal: AbortSignal,
): Promise<ApprovalChoice> {
  const answer = await approver.ask(request, { signal });
  return ANSWERS.has(answer) ? answer : "deny";
}

function asksTheSame(one: ApprovalRequestPayload, other: ApprovalRequestPayload): boolean {
  return (
    one.hook === other.hook &&
    one.tool_name === other.tool_name &&
    one.question === other.question &&
    sameJson(one.args, other.args)
  );
}
