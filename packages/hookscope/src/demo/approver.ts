import { createTerminalApprover, type ApprovalAnswer, type Approver } from "@hookscope/harness";

import { isInteractive, type Terminal } from "../terminal.ts";
import { printable } from "../timeline/text.ts";

/** What is answered for a person who does not, or who is not there. */
export const DEFAULT_ANSWER: ApprovalAnswer = "once";
export const ANSWER_AFTER_MS = 10_000;

/** Asks at the terminal, and goes on with the default after a while; without a terminal at once. Either is said. */
export function createDemoApprover(terminal: Terminal, say: (text: string) => void, onInterrupt: () => void): Approver {
  const { input, errors } = terminal;
  if (!isInteractive(terminal)) {
    return {
      ask({ question }) {
        say(`Approval: ${printable(question)}\n  No terminal to ask at: answered "${DEFAULT_ANSWER}", the default.`);
        return Promise.resolve(DEFAULT_ANSWER);
      },
    };
  }
  return createTerminalApprover({
    input,
    output: errors,
    timeoutDefault: { afterMs: ANSWER_AFTER_MS, answer: DEFAULT_ANSWER },
    onInterrupt,
  });
}
