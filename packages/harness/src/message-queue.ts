import { HarnessError } from "./errors.ts";

/** `steering` reaches the model after the tool calls under way; `follow_up` where the turn would end. */
export type MessageDelivery = "steering" | "follow_up";

/** What is to be said to the model while a turn runs, or before the next. */
export interface MessageQueue {
  /** @throws HarnessError MESSAGES_INVALID */
  queueMessage(message: { readonly content: string; readonly deliverAs: MessageDelivery }): void;
  /** Takes all steering messages, in the order they came. */
  getSteeringMessages(): readonly string[];
  /** Takes the first follow-up message: each has its own round. */
  getFollowUpMessages(): readonly string[];
  /** What waits, in the order it came. */
  waiting(deliverAs: MessageDelivery): readonly string[];
  /** Takes everything away and gives it back: what an interrupt keeps from being said. */
  clear(): { readonly [Delivery in MessageDelivery]: readonly string[] };
}

/** For the harness's option `queue`. */
export function createMessageQueue(): MessageQueue {
  let steering: readonly string[] = [];
  let followUp: readonly string[] = [];
  return {
    queueMessage({ content, deliverAs }) {
      if (typeof content !== "string" || content.trim() === "") {
        throw new HarnessError("MESSAGES_INVALID", "queueMessage: `content` must be a text that says something.");
      }
      if (deliverAs === "steering") steering = [...steering, content];
      else if (deliverAs === "follow_up") followUp = [...followUp, content];
      else {
        const given = String(deliverAs);
        const problem = `queueMessage: \`deliverAs\` is "${given}"; it must be "steering" or "follow_up".`;
        throw new HarnessError("MESSAGES_INVALID", problem);
      }
    },
    getSteeringMessages() {
      const taken = steering;
      steering = [];
      return taken;
    },
    getFollowUpMessages() {
      const taken = followUp.slice(0, 1);
      followUp = followUp.slice(1);
      return taken;
    },
    waiting: (deliverAs) => (deliverAs === "steering" ? steering : followUp),
    clear() {
      const taken = { steering, follow_up: followUp };
      steering = [];
      followUp = [];
      return taken;
    },
  };
}

/** A text is one message; nothing, or a text that says nothing, is none. */
export type ProvidedMessages = readonly string[] | string | null | undefined;

/** Asked for what waits, which is then no longer its own. */
export type MessageProvider = () => ProvidedMessages | Promise<ProvidedMessages>;

/** Messages of both, the queue's first; undefined where there is neither. */
export function joinProviders(
  name: MessageProviderName,
  queue: MessageProvider | undefined,
  other: MessageProvider | undefined,
): MessageProvider | undefined {
  if (queue === undefined || other === undefined) return queue ?? other;
  return async () => {
    // Where this fails, the queue keeps its own.
    const later = readMessages(name, await other());
    return [...readMessages(name, await queue()), ...later];
  };
}

export type MessageProviderName = "getSteeringMessages" | "getFollowUpMessages";

/** @throws HarnessError MESSAGES_INVALID */
export function readMessages(name: MessageProviderName, given: unknown): readonly string[] {
  if (given === undefined || given === null) return [];
  if (typeof given === "string") return given.trim() === "" ? [] : [given];
  if (!Array.isArray(given)) throw invalid(name, `gave something ${kindOf(given)}`);
  const index = given.findIndex((message) => typeof message !== "string");
  if (index !== -1) throw invalid(name, `gave a list whose number ${index + 1} is ${kindOf(given[index])}`);
  return given as readonly string[];
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}

function invalid(name: MessageProviderName, problem: string): HarnessError {
  return new HarnessError(
    "MESSAGES_INVALID",
    `${name} ${problem}; it must give a list of texts, one text, or nothing.`,
  );
}
