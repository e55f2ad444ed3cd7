import type { DeltaStream } from "@hookscope/hooks";

import type { MessageAccumulator } from "./accumulate.ts";
import type { UnstampedEvent } from "./events.ts";
import type { ModelCall } from "./model-call.ts";
import type { ModelStreamPart } from "./model.ts";
import type { TurnScope } from "./scope.ts";

/**
 * Passes a model's stream on while it is read: events for whoever watches, deltas for the hooks of `on_stream_delta`.
 * Where a hook may change the reply, its text is not shown outside before that.
 */
export class ModelStreamRelay {
  /** Milliseconds from the call to the first piece of content. */
  timeToFirstPart: number | undefined;
  /** Whether anything was shown: what is tried again must be taken back. */
  hasShown = false;
  readonly #scope: TurnScope;
  readonly #spanId: string | undefined;
  readonly #startTime: number;
  readonly #deltas: DeltaStream | undefined;
  readonly #iteration: number;
  readonly #showsThinking: boolean;
  readonly #showsText: boolean;

  constructor(scope: TurnScope, call: ModelCall, spanId: string | undefined, startTime: number) {
    this.#scope = scope;
    this.#spanId = spanId;
    this.#startTime = startTime;
    this.#iteration = call.iteration;
    this.#showsThinking = call.streamed;
    this.#showsText = call.streamed && !scope.holdsText;
    this.#deltas =
      call.streamed && scope.setup.bus.has("on_stream_delta")
        ? scope.setup.bus.stream("on_stream_delta", { turn: scope.turn, parent: scope.context, signal: scope.signal })
        : undefined;
  }

  pass(part: ModelStreamPart, accumulator: MessageAccumulator): void {
    if (part.type !== "response" && part.type !== "finish")
      this.timeToFirstPart ??= this.#scope.now() - this.#startTime;
    switch (part.type) {
      case "text_delta":
        this.#push("text", part.text);
        if (this.#showsText) this.#emitText(part.text, accumulator);
        break;
      case "thinking_start":
        if (this.#showsThinking) this.#show({ type: "thinking_start" });
        break;
      case "thinking_delta":
        this.#push("thinking", part.text);
        if (this.#showsThinking) this.#show({ type: "thinking_delta", delta: part.text });
        break;
      case "thinking_end":
        if (this.#showsThinking) this.#show({ type: "thinking_end", text: accumulator.thinkingText });
        break;
      case "tool_input_start":
      case "tool_input_delta":
        if (this.#showsText) this.#show({ type: "message_update", content: accumulator.partial() });
        break;
      default:
        break;
    }
  }

  /** The hooks catch up meanwhile; the turn waits for them only where it ends. */
  close(): void {
    if (this.#deltas !== undefined) this.#scope.pending.push(this.#deltas.close());
  }

  #push(kind: "text" | "thinking", delta: string): void {
    this.#deltas?.push({ kind, delta, iteration: this.#iteration });
  }

  #emitText(delta: string, accumulator: MessageAccumulator): void {
    this.#show({ type: "text_delta", delta });
    this.#show({ type: "message_update", content: accumulator.partial() });
  }

  #show(event: UnstampedEvent): void {
    this.hasShown = true;
    this.#scope.emit(event, this.#spanId);
  }
}
