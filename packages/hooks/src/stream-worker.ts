import type { InvocationCore } from "./core.ts";
import { Guard, type GuardedExecution, type GuardOwner } from "./guard.ts";
import { judge } from "./judge.ts";
import { OpenInvocation } from "./open-invocation.ts";
import { noteIgnored } from "./outcome.ts";
import type { StreamDeltaPayload, TurnInfo } from "./payloads.ts";
import { HOOK_POINTS } from "./points.ts";
import type { HookSite } from "./site.ts";
import type { Surroundings } from "./surroundings.ts";

/** Deltas that wait for one hook; the oldest makes room for the newest. */
const QUEUE_LIMIT = 256;

export interface StreamWorkerRequest {
  readonly core: InvocationCore;
  readonly site: HookSite;
  readonly surroundings: Surroundings;
  readonly turn: TurnInfo;
  readonly suspendMs: number;
}

/** One hook's share of one stream. It calls the hook for one delta after another, never from within `push`. */
export class StreamWorker implements GuardOwner {
  readonly #request: StreamWorkerRequest;
  readonly #core: InvocationCore;
  readonly #site: HookSite;
  readonly #queue: StreamDeltaPayload[] = [];
  #guard: Guard;
  #open: OpenInvocation | undefined;
  #state: "idle" | "scheduled" | "calling" | "stopped" = "idle";
  #callStart = 0;
  /** Of the stream as a whole: its last failure, or how it was ended. */
  #execution: GuardedExecution | "suspended" = "ok";
  #error: unknown;
  #count = 0;
  #totalMs = 0;
  #longestMs = 0;
  #failures = 0;
  #dropped = 0;
  #resultIgnored = false;
  #drained: (() => void) | undefined;

  constructor(request: StreamWorkerRequest) {
    this.#request = request;
    this.#core = request.core;
    this.#site = request.site;
    this.#guard = new Guard(request.core.clock, this);
  }

  push(delta: StreamDeltaPayload): void {
    // The span begins with the first delta, so that a stream without any leaves no trace.
    this.#open ??= this.#begin();
    if (this.#state === "stopped") return this.#drop(1);
    if (this.#queue.length >= QUEUE_LIMIT) {
      this.#queue.shift();
      this.#drop(1);
    }
    this.#queue.push(delta);
    if (this.#state === "idle") {
      this.#state = "scheduled";
      queueMicrotask(() => this.#pump());
    }
  }

  /** Waits until the queue is empty, at most for the hook's time limit; then what is left is dropped. */
  async close(): Promise<void> {
    if (this.#open === undefined) return;
    if (this.#state === "scheduled" || this.#state === "calling") await this.#drain();
    this.#stop();
    this.#finish(this.#open);
  }

  abort(reason: unknown): void {
    if (this.#state === "stopped") return;
    this.#execution = "aborted";
    this.#stop();
    this.#guard.abort(reason);
  }

  settle(execution: GuardedExecution, value: unknown, now: number): void {
    const durationMs = Math.max(0, now - this.#callStart);
    this.#count += 1;
    this.#totalMs += durationMs;
    this.#longestMs = Math.max(this.#longestMs, durationMs);
    this.#request.surroundings.totals?.hookStopped(now, durationMs);
    if (execution === "ok") return this.#watchResult(value);
    if (execution === "aborted") return;
    this.#failures += 1;
    this.#execution = execution;
    this.#error = value;
    if (execution === "timeout") {
      this.#site.suspendedUntil = now + this.#request.suspendMs;
      this.#stop();
    }
  }

  resume(): void {
    this.#pump();
  }

  #begin(): OpenInvocation {
    const { surroundings } = this.#request;
    return new OpenInvocation(this.#core, this.#site, 1, surroundings, this.#core.clock.now());
  }

  #pump(): void {
    const open = this.#open as OpenInvocation;
    for (let delta = this.#next(); delta !== undefined; delta = this.#next()) {
      this.#state = "calling";
      this.#request.surroundings.totals?.hookStarted(this.#callStart);
      const event = Object.freeze({ point: "on_stream_delta", payload: delta, turn: this.#request.turn });
      if (!this.#guard.run(this.#site, event, open.context, open.contextOfCall(), this.#callStart)) return;
    }
    if (this.#state !== "stopped") this.#state = "idle";
    this.#drained?.();
  }

  /** The next delta to call the hook with, unless the stream was stopped or the hook was suspended by another one. */
  #next(): StreamDeltaPayload | undefined {
    if (this.#state === "stopped") return undefined;
    this.#callStart = this.#core.clock.now();
    if (this.#queue.length > 0 && this.#site.suspendedUntil > this.#callStart) {
      this.#execution = "suspended";
      this.#stop();
    }
    return this.#queue.shift();
  }

  /** A hook that cannot catch up in its own time has timed out, however short each call was. */
  async #drain(): Promise<void> {
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    const timer = this.#core.clock.setTimer(() => this.#guard.timeOut(), this.#site.description.timeoutMs);
    await drained;
    timer.cancel();
  }

  /** Nothing more is called; what waits is dropped. */
  #stop(): void {
    this.#state = "stopped";
    this.#drop(this.#queue.length);
    this.#queue.length = 0;
    this.#drained?.();
  }

  #drop(count: number): void {
    this.#dropped += count;
    this.#site.deltasDropped += count;
  }

  #watchResult(value: unknown): void {
    const judgement = judge(HOOK_POINTS.on_stream_delta, value);
    if (judgement.accepted) return;
    this.#resultIgnored = true;
    noteIgnored(this.#core, this.#site, judgement);
  }

  #finish(open: OpenInvocation): void {
    const execution = this.#execution;
    open.settle(execution, this.#error, this.#core.clock.now());
    const failedOpen = execution !== "ok" && execution !== "aborted";
    open.finish(this.#core, {
      execution,
      decision: execution === "ok" ? "continue" : "none",
      applied: false,
      notAppliedReason: failedOpen ? "failed_open" : this.#resultIgnored ? "not_accepted" : undefined,
      stream: {
        count: this.#count,
        totalMs: this.#totalMs,
        longestMs: this.#longestMs,
        failures: this.#failures,
        dropped: this.#dropped,
      },
    });
  }
}
