import { INVALID_SPAN_CONTEXT, trace, type Span } from "@opentelemetry/api";

import type { HookContext } from "./hook.ts";
import type { TurnTotals } from "./turn-totals.ts";

const NO_SPAN: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** The context of one call. Its signal is made only when the hook reads it: most hooks never do. */
export class CallContext implements HookContext {
  readonly span: Span;
  readonly turn: TurnTotals | undefined;
  #controller: AbortController | undefined = undefined;

  constructor(span: Span | undefined, turn: TurnTotals | undefined) {
    this.span = span ?? NO_SPAN;
    this.turn = turn;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** Not a method, so that no hook can abort itself by its context. */
  static abort(context: CallContext, reason: unknown): void {
    context.#controller ??= new AbortController();
    context.#controller.abort(reason);
  }
}
