import { createRedactor, redactSafely, snapshot, type Redactor } from "@hookscope/hooks";

import { describeThrown } from "./describe-thrown.ts";
import { HarnessError } from "./errors.ts";
import type { AgentEvent, AgentEventOf, AgentEventType } from "./events.ts";
import { describeValue } from "./field-rules.ts";

export type AgentEventListener = (event: AgentEvent) => void;

/** `subscribe` and `on` give back what ends the subscription. @throws HarnessError EVENT_LISTENER_INVALID */
export interface EventBus {
  /** Gives a snapshot of the event to every subscriber, in order of subscription. Never throws. */
  emit(event: AgentEvent): void;
  /** `modId` names the subscriber in `mod_error`, should it throw. */
  subscribe(listener: AgentEventListener, options?: { readonly modId?: string }): () => void;
  on<Type extends AgentEventType>(
    type: Type,
    listener: (event: AgentEventOf<Type>) => void,
    options?: { readonly modId?: string },
  ): () => void;
  readonly hasSubscribers: boolean;
}

interface Subscription {
  readonly listener: AgentEventListener;
  readonly modId: string;
}

export interface EventBusOptions {
  /** Cleans what a subscriber failed with before it becomes an event; default: the redactor for keys and secret shapes. */
  readonly redact?: Redactor;
}

/**
 * One synchronous sink, fanned out. A subscriber that throws, or gives back a promise that rejects, is isolated: the others
 * get the event, and a `mod_error` with hook `on:<event>` follows, which goes to the others only.
 */
export function createEventBus({ redact = createRedactor() }: EventBusOptions = {}): EventBus {
  let subscriptions: readonly Subscription[] = [];

  const deliver = (event: AgentEvent, receivers: readonly Subscription[]): void => {
    const failures: { readonly subscription: Subscription; readonly error: unknown }[] = [];
    for (const subscription of receivers) {
      try {
        const returned: unknown = subscription.listener(event);
        if (returned instanceof Promise) returned.catch((error: unknown) => report(event, subscription, error));
      } catch (error) {
        failures.push({ subscription, error });
      }
    }
    for (const { subscription, error } of failures) report(event, subscription, error, receivers);
  };

  /** A promise that rejects is told of to whoever is subscribed by then. */
  const report = (
    event: AgentEvent,
    subscription: Subscription,
    error: unknown,
    receivers: readonly Subscription[] = subscriptions,
  ): void => {
    if (event.type === "mod_error") return;
    const failed: AgentEvent = {
      type: "mod_error",
      modId: subscription.modId,
      hook: `on:${event.type}`,
      error: String(redactSafely(redact, describeThrown(error))),
      timestamp: event.timestamp,
      runId: event.runId,
      ...(event.round === undefined ? {} : { round: event.round }),
      ...(event.spanId === undefined ? {} : { spanId: event.spanId }),
    };
    deliver(
      failed,
      receivers.filter((other) => other !== subscription),
    );
  };

  const subscribe: EventBus["subscribe"] = (listener, options) => {
    checkListener(listener);
    const subscription: Subscription = { listener, modId: options?.modId ?? "subscriber" };
    subscriptions = [...subscriptions, subscription];
    return () => {
      subscriptions = subscriptions.filter((other) => other !== subscription);
    };
  };

  return {
    emit(event) {
      if (subscriptions.length > 0) deliver(freezeEvent(event), subscriptions);
    },
    subscribe,
    on(type, listener, options) {
      checkListener(listener);
      if (typeof type !== "string") throw invalid(`the event to listen to is ${describeValue(type)}`);
      return subscribe(
        (event) => (event.type === type ? listener(event as AgentEventOf<typeof type>) : undefined),
        options,
      );
    },
    get hasSubscribers() {
      return subscriptions.length > 0;
    },
  };
}

function checkListener(listener: unknown): void {
  if (typeof listener !== "function") throw invalid(`a listener is ${describeValue(listener)}; it must be a function`);
}

function invalid(problem: string): HarnessError {
  return new HarnessError("EVENT_LISTENER_INVALID", `${problem}.`);
}

/** `run_error` and the result of `run_end` carry the raw Error, which a snapshot would flatten. */
function freezeEvent(event: AgentEvent): AgentEvent {
  if (event.type === "run_error")
    return Object.freeze({ ...snapshot({ ...event, error: undefined }), error: event.error }) as AgentEvent;
  if (event.type === "run_end" && event.result?.error !== undefined) {
    const { error, ...rest } = event.result;
    return Object.freeze({
      ...snapshot({ ...event, result: null }),
      result: Object.freeze({ ...snapshot(rest), error }),
    }) as AgentEvent;
  }
  return snapshot(event);
}
