import { trace, type Tracer } from "@opentelemetry/api";

import { createSystemClock, type Clock } from "./clock.ts";
import { DeadlineTable } from "./deadlines.ts";
import type { HookInvocation } from "./invocation.ts";
import { consoleLogger, OnceLogger, type Logger } from "./logger.ts";
import { createRedactor, type Redactor } from "./redact/index.ts";

export type InvocationListener = (invocation: HookInvocation) => void;

export interface CoreOptions {
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  readonly redact?: Redactor | undefined;
  readonly maxSpansPerTurn?: number | undefined;
}

/** What every invocation of a bus shares, mod hooks included: clock, limits, tracer, redactor, log and listeners. */
export class InvocationCore {
  readonly clock: Clock;
  readonly deadlines: DeadlineTable;
  readonly tracer: Tracer;
  readonly redactor: Redactor;
  readonly log: OnceLogger;
  readonly maxSpansPerTurn: number;
  /** Calls of a listener that threw. */
  listenerFailures = 0;
  #listeners: readonly InvocationListener[] = [];

  constructor(options: CoreOptions) {
    this.clock = options.clock ?? createSystemClock();
    this.deadlines = new DeadlineTable(this.clock);
    // A proxy until an SDK is registered, so the bus may be made before the SDK starts.
    this.tracer = options.tracer ?? trace.getTracer("@hookscope/hooks");
    this.redactor = options.redact ?? createRedactor();
    this.log = new OnceLogger(options.logger ?? consoleLogger);
    this.maxSpansPerTurn = options.maxSpansPerTurn ?? DEFAULT_MAX_SPANS_PER_TURN;
  }

  subscribe(listener: InvocationListener): () => void {
    const entry: InvocationListener = (invocation) => listener(invocation);
    this.#listeners = [...this.#listeners, entry];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== entry);
    };
  }

  publish(invocation: HookInvocation): void {
    for (const listener of this.#listeners) {
      try {
        listener(invocation);
      } catch (error) {
        this.listenerFailures += 1;
        this.log.warn("listener", `a listener of hook invocations threw: ${this.redactor.text(String(error))}`);
      }
    }
  }
}

const DEFAULT_MAX_SPANS_PER_TURN = 5_000;
