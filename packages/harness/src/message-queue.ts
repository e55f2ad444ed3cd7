/** `steering` reaches the model after the tool calls under way; `follow_up` where the turn would end. */
export type MessageDelivery = "steering" | "follow_up";

/** What is to be said to the model while a turn runs, or before the next. */
export interface MessageQueue {
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
        throw new TypeError("queueMessage: `content` must be a text that says something.");
      }
      if (deliverAs === "steering") steering = [...steering, content];
      else if (deliverAs === "follow_up") followUp = [...followUp, content];
      else
        throw new TypeError(`queueMessage: \`deliverAs\` is "${String(deliverAs)}"; it is "steering" or "follow_up".`);
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

type Provider = () => readonly string[] | Promise<readonly string[]>;

/** Messages of both, the queue's first; undefined where there is neither. */
export function joinProviders(queue: Provider | undefined, other: Provider | undefined): Provider | undefined {
  if (queue === undefined || other === undefined) return queue ?? other;
  return async () => [...(await queue()), ...(await other())];
}
