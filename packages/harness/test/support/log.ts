import type { AgentEvent } from "../../src/index.ts";

export interface LogOptions {
  /** The entry at which the turn is interrupted, the first time it is written. */
  readonly interruptAt?: string | undefined;
  /** The entry whose writer never settles. */
  readonly hangAt?: string | undefined;
}

/**
 * What happened in one list, in order: `→` an event, `●` a bus hook, `◆` a mod's hook, `▶` the model, a tool, a permission
 * check or a person, `■` a commit.
 */
export class Log {
  readonly entries: string[] = [];
  readonly interruption: AbortController = new AbortController();
  readonly #options: LogOptions;
  readonly #waiting = new Map<string, () => void>();

  constructor(options: LogOptions) {
    this.#options = options;
  }

  /** Gives a promise that never settles where the writer is to hang. */
  write(entry: string): Promise<never> | undefined {
    this.entries.push(entry);
    this.#waiting.get(entry)?.();
    if (entry === this.#options.interruptAt) this.interruption.abort();
    return entry === this.#options.hangAt ? new Promise<never>(() => undefined) : undefined;
  }

  /** Resolves when the entry is written the next time. */
  until(entry: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(entry, resolve);
    return promise;
  }

  /** What was written from an entry on, that entry included. */
  from(entry: string): readonly string[] {
    return this.entries.slice(this.entries.indexOf(entry));
  }

  /** What was written from one entry to another, both included. */
  between(first: string, last: string): readonly string[] {
    return this.entries.slice(this.entries.indexOf(first), this.entries.lastIndexOf(last) + 1);
  }

  only(...marks: readonly string[]): readonly string[] {
    return this.entries.filter((entry) => marks.some((mark) => entry.startsWith(mark)));
  }
}

/** An event as one entry; undefined for the partial messages, of which there is one for each piece of a stream. */
export function eventEntry(event: AgentEvent): string | undefined {
  if (event.type === "message_update" && event.attempt === undefined) return undefined;
  const detail = detailOf(event);
  return detail === undefined ? `→ ${event.type}` : `→ ${event.type} ${detail}`;
}

function detailOf(event: AgentEvent): string | number | undefined {
  switch (event.type) {
    case "run_end":
      return event.result.stopReason;
    case "turn_start":
    case "turn_end":
      return event.turnNumber;
    case "text_delta":
      return event.delta;
    case "message_update":
    case "api_retry":
      return event.attempt;
    case "mod_error":
      return `${event.modId} ${event.hook}`;
    case "notice":
      return event.message;
    case "subagent_start":
    case "subagent_stop":
      return event.subagentType;
    case "subagent_progress":
      return `${event.subagentType} ${event.toolName}`;
    default:
      return "toolName" in event ? event.toolName : undefined;
  }
}
