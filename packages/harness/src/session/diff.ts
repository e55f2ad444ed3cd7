import type { Message } from "../messages.ts";

/** Messages, and by index the entry each is of. */
export interface KnownMessages {
  readonly messages: readonly Message[];
  readonly ids: string[];
}

export interface MessageChange {
  /** What the session knows already and the change starts from. */
  readonly base: KnownMessages;
  /** Messages at the start that are the base's. */
  readonly kept: number;
  /** Messages replaced after those: where they begin anew in the state, and in the base. Absent: messages were only appended. */
  readonly splice?: { readonly until: number; readonly resumesAt: number };
  /** The first message of the state that was appended. */
  readonly appendedFrom: number;
}

/**
 * Compares a state's messages with what the session knows. Messages are compared as references first, which is all that
 * a loop needs that appends; one that is another object is compared as JSON.
 *
 * @param bases what the state may have grown from, the likeliest first
 * @param wasAppended whether the loop appended the message since the last commit
 */
export function diffMessages(
  bases: readonly [() => KnownMessages, ...(() => KnownMessages)[]],
  messages: readonly Message[],
  wasAppended: (message: Message) => boolean,
): MessageChange {
  let best: { readonly base: KnownMessages; readonly kept: number } | undefined;
  for (const baseOf of bases) {
    const base = baseOf();
    const kept = commonPrefix(base.messages, messages);
    if (kept === base.messages.length) return grownFrom(base);
    if (best === undefined || kept > best.kept) best = { base, kept };
  }
  const { base, kept } = best as { readonly base: KnownMessages; readonly kept: number };
  let appendedFrom = messages.length;
  while (appendedFrom > kept && wasAppended(messages[appendedFrom - 1] as Message)) appendedFrom -= 1;
  let tail = 0;
  while (
    tail < Math.min(base.messages.length, appendedFrom) - kept &&
    isSame(base.messages[base.messages.length - 1 - tail], messages[appendedFrom - 1 - tail])
  ) {
    tail += 1;
  }
  return {
    base,
    kept,
    splice: { until: appendedFrom - tail, resumesAt: base.messages.length - tail },
    appendedFrom,
  };
}

/** Where nothing sets them apart, which is nearly always, the messages of a branch need not be compared as well. */
export function knowsAll({ ids }: KnownMessages, placed: readonly { readonly id: string }[]): boolean {
  return ids.length === placed.length && ids[0] === placed[0]?.id && ids.at(-1) === placed.at(-1)?.id;
}

export function grownFrom(base: KnownMessages): MessageChange {
  return { base, kept: base.messages.length, appendedFrom: base.messages.length };
}

export function isSame(left: Message | undefined, right: Message | undefined): boolean {
  return (
    left === right || (left !== undefined && right !== undefined && JSON.stringify(left) === JSON.stringify(right))
  );
}

function commonPrefix(left: readonly Message[], right: readonly Message[]): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && isSame(left[index], right[index])) index += 1;
  return index;
}
