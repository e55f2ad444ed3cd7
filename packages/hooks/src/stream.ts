import type { Context } from "@opentelemetry/api";

import type { InvocationCore } from "./core.ts";
import { HookError } from "./errors.ts";
import type { StreamDeltaPayload, TurnInfo } from "./payloads.ts";
import type { Registration } from "./registry.ts";
import { snapshot } from "./snapshot.ts";
import { StreamWorker } from "./stream-worker.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface HookStreamRequest {
  readonly core: InvocationCore;
  readonly registrations: readonly Registration[];
  readonly turn: TurnInfo;
  /** Default: the active context. */
  readonly parent: Context | undefined;
  readonly signal: AbortSignal | undefined;
  readonly suspendMs: number;
}

/**
 * The deltas of one model call on their way to the hooks of `on_stream_delta`, off the token path: pushing never waits.
 * Each hook has a bounded queue of its own, of which the oldest delta is dropped and counted; each hook gets one span
 * and one record for the whole stream.
 */
export class HookStream {
  readonly #workers: readonly StreamWorker[];
  readonly #signal: AbortSignal | undefined;
  #closed: Promise<void> | undefined;

  constructor(request: HookStreamRequest) {
    const { core, turn, parent, suspendMs } = request;
    const surroundings = surroundingsOf(core, turn, parent);
    surroundings.isActive = false;
    this.#signal = request.signal;
    this.#workers = request.registrations.map(
      ({ site }) => new StreamWorker({ core, site, surroundings, turn, suspendMs }),
    );
    this.#signal?.addEventListener("abort", this.#onAbort);
    if (this.#signal?.aborted === true) this.#onAbort();
  }

  /** @throws HookError HOOK_STREAM_CLOSED */
  push(delta: StreamDeltaPayload): void {
    if (this.#closed !== undefined)
      throw new HookError(
        "HOOK_STREAM_CLOSED",
        "the stream of deltas was closed already; open another for the next model call.",
      );
    if (this.#workers.length === 0) return;
    const payload = snapshot(delta);
    for (const worker of this.#workers) worker.push(payload);
  }

  /** Lets each hook catch up within its own time limit, then ends its span. Closing again waits for the same. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => {
    for (const worker of this.#workers) worker.abort(this.#signal?.reason);
  };
}
