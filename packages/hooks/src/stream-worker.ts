import type { InvocationCore } from "./core.ts";
import { Guard, type GuardedExecution, type GuardOwner } from "./guard.ts";
import type { Execution } from "./invocation.ts";
import { judge } from "./judge.ts";
import { OpenInvocation, type Surroundings } from "./open-invocation.ts";
import type { StreamDeltaPayload } from "./payloads.ts";
import { HOOK_POINTS } from "./points.ts";
import type { HookSite } from "./site.ts";

/** Deltas that wait for one hook; the oldest makes room for the newest. */
const QUEUE_LIMIT = 256;

/** One hook's share of one stream. It calls the hook for one delta after another, never from within `push`. */
export class StreamWorker implements GuardOwner {
  readonly #core: InvocationCore;
  readonly #site: HookSite;
  readonly #surroundings: Surroundings;
  readonly #suspendMs: number;
  readonly #queue: StreamDeltaPayload[] = [];
  #guard: Guard;
  #open: OpenInvocation | undefined;
  #state: "idle" | "scheduled" | "calling" | "stopped" = "idle";
  #callStart = 0;
  #execution: Execution = "ok";
  #error: unknown;
  #count = 0;
  #totalMs = 0;
  #longestMs = 0;
  #failures = 0;
  #dropped = 0;
  #drained: (() => void) | undefined;

  constructor(core: InvocationCore, site: HookSite, surroundings: Surroundings, suspendMs: number) {
    this.#core = core;
    this.#site = site;
    this.#surroundings = surroundings;
    this.#suspendMs = suspendMs;
    this.#guard = new Guard(core.clock, this);
  }

  push(delta: StreamDeltaPayload): void {
    if (this.#open === undefined) this.#begin();
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

  async close(): Promise<void> {
    if (this.#open === undefined) return;
    if (this.#state === "scheduled" || this.#state === "calling") await this.#drain();
    this.#finish(this.#open);
  }

  abort(reason: unknown): void {
    if (this.#state === "stopped") return;
    this.#execution = "aborted";
    if (this.#state === "calling") this.#guard.abort(reason);
    this.#stop();
  }

  settle(execution: GuardedExecution, value: unknown, now: number): void {
    const durationMs = Math.max(0, now - this.#callStart);
    this.#count += 1;
    this.#totalMs += durationMs;
    this.#longestMs = Math.max(this.#longestMs, durationMs);
    this.#surroundings.totals?.hookStopped(now, durationMs);
    if (execution === "ok") return this.#watchResult(value);
    if (execution === "aborted") return;
    this.#failures += 1;
    this.#execution = execution;
    this.#error = value;
    if (execution === "timeout") {
      this.#site.suspendedUntil = now + this.#suspendMs;
      this.#stop();
    }
  }

  resume(): void {
    if (this.#state === "calling") this.#pump();
  }

  /** The span begins with the first delta, so that a stream without any leaves no trace. */
  #begin(): void {
    const now = this.#core.clock.now();
    this.#open = new OpenInvocation(this.#core, this.#site, 1, this.#surroundings, now, "as_called");
    if (this.#site.suspendedUntil > now) {
      this.#execution = "suspended";
      this.#state = "stopped";
    }
  }

  #pump(): void {
    const open = this.#open as OpenInvocation;
    for (let delta = this.#next(); delta !== undefined; delta = this.#next()) {
      this.#state = "calling";
      if (this.#guard.spent) this.#guard = new Guard(this.#core.clock, this);
      this.#callStart = this.#core.clock.now();
      this.#surroundings.totals?.hookStarted(this.#callStart);
      const event = { point: "on_stream_delta", payload: delta, turn: this.#surroundings.turn } as const;
      if (!this.#guard.run(this.#site, event, open.context, open.active, this.#callStart)) return;
    }
    if (this.#state !== "stopped") this.#state = "idle";
    this.#drained?.();
  }

  #next(): StreamDeltaPayload | undefined {
    return this.#state === "stopped" ? undefined : this.#queue.shift();
  }

  /** Waits until the queue is empty, at most for the hook's time limit; then what is left is dropped. */
  async #drain(): Promise<void> {
    let expired: (() => void) | undefined;
    const limit = new Promise<void>((resolve) => {
      expired = resolve;
    });
    const timer = this.#core.clock.setTimer(() => expired?.(), this.#site.description.timeoutMs);
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    await Promise.race([drained, limit]);
    timer.cancel();
    if (this.#state === "calling") this.#guard.abort(new Error("the stream ended"));
    this.#stop();
  }

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
    if (judge(HOOK_POINTS.on_stream_delta, value).accepted) return;
    this.#site.resultsIgnored += 1;
    const { hook, point } = this.#site.description;
    this.#core.log.warn(
      `ignored ${hook} ${point}`,
      `a result of hook "${hook}" at ${point} is ignored: observers only watch.`,
    );
  }

  #finish(open: OpenInvocation): void {
    const now = this.#core.clock.now();
    const execution = this.#execution;
    open.settle(execution === "invalid_result" ? "ok" : execution, this.#error, now);
    open.finish(this.#core, {
      execution,
      decision: execution === "ok" ? "continue" : "none",
      applied: false,
      notAppliedReason: execution === "ok" || execution === "aborted" ? undefined : "failed_open",
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
