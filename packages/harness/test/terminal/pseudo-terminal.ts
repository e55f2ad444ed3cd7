import { PassThrough } from "node:stream";

import type { ApprovalRequestPayload } from "@hookscope/hooks";

export interface PseudoTerminal {
  readonly input: PassThrough & { isTTY: true };
  readonly output: PassThrough & { isTTY: true; columns: number };
  /** Types, as a keyboard does. */
  type(keys: string): void;
  /** All that was drawn since the last time. */
  drawn(): string;
}

/** Two streams that behave as a terminal of 200 columns; nothing of readline is replaced. */
export function pseudoTerminal(): PseudoTerminal {
  const input = Object.assign(new PassThrough(), { isTTY: true } as const);
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 200 } as const);
  return {
    input,
    output,
    type: (keys) => void input.write(keys),
    drawn: () => String(output.read() ?? ""),
  };
}

export function request(given: Partial<ApprovalRequestPayload> = {}): ApprovalRequestPayload {
  return {
    approval_id: "approval-1",
    tool_name: "shell",
    args: { command: "make deploy" },
    risk: "high",
    question: "Run it?",
    hook: "approval_policy",
    call_id: "call-1",
    ...given,
  };
}

/** Until readline has read what was typed. */
export function turnOfTheLoop(): Promise<void> {
  return new Promise(setImmediate);
}
