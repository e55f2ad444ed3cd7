import { expect, test, vi } from "vitest";

import { createTerminalApprover } from "../../src/terminal-approver.ts";
import { HarnessError } from "../../src/errors.ts";
import { pseudoTerminal, request, turnOfTheLoop } from "./pseudo-terminal.ts";

test("an abort takes the question back: the line is cleared, and the terminal is let go", async () => {
  const terminal = pseudoTerminal();
  const controller = new AbortController();
  const asked = createTerminalApprover(terminal).ask(request(), { signal: controller.signal });
  terminal.type("ye");
  await turnOfTheLoop();
  terminal.drawn();
  controller.abort(new Error("the turn was interrupted"));
  await expect(asked).rejects.toThrow("the turn was interrupted");
  expect(terminal.drawn()).toBe("\r\u001b[K");
  terminal.type("y\r");
  await turnOfTheLoop();
  expect(terminal.drawn()).toBe("");
  expect(terminal.input.isPaused()).toBe(true);
});

test("nothing is asked when it is aborted already", async () => {
  const terminal = pseudoTerminal();
  const signal = AbortSignal.abort(new Error("over"));
  await expect(createTerminalApprover(terminal).ask(request(), { signal })).rejects.toThrow("over");
  expect(terminal.drawn()).toBe("");
});

test("no listener stays on the signal or the streams", async () => {
  const terminal = pseudoTerminal();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const before = terminal.output.eventNames().length;
  const asked = createTerminalApprover(terminal).ask(request(), { signal });
  terminal.type("y\r");
  await asked;
  expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
  expect(terminal.output.eventNames().length).toBe(before);
});

test("a default is said with the question, and answered in time for who does not", async () => {
  const terminal = pseudoTerminal();
  let fire: (() => void) | undefined;
  const clock = {
    now: () => 0,
    setTimer: (callback: () => void, delayMs: number) => {
      expect(delayMs).toBe(30_000);
      fire = callback;
      return { cancel: () => (fire = undefined) };
    },
  };
  const approver = createTerminalApprover({ ...terminal, clock, timeoutDefault: { afterMs: 30_000, answer: "deny" } });
  const { signal } = new AbortController();
  const asked = approver.ask(request(), { signal });
  await turnOfTheLoop();
  expect(terminal.drawn()).toContain("[n] deny (deny after 30 s): ");
  fire?.();
  expect(await asked).toBe("deny");
  expect(terminal.drawn()).toBe("\r\u001b[KNo answer: deny.\n");
  const answered = approver.ask(request(), { signal });
  terminal.type("y\r");
  expect(await answered).toBe("once");
  expect(fire).toBeUndefined();
});

test.for(["input", "output"] as const)("where %s is no terminal, the approver is refused", (name) => {
  const terminal = { ...pseudoTerminal() };
  const pipe = Object.assign(terminal[name], { isTTY: false });
  expect(() => createTerminalApprover({ ...terminal, [name]: pipe })).toThrow(
    new HarnessError(
      "APPROVER_NO_TERMINAL",
      "nobody can be asked: input and output must be a terminal. Leave the approver out, and questions are answered `unavailable`.",
    ),
  );
});

test.for([
  [undefined, "createTerminalApprover was given undefined; it must be given an object with `input` and `output`."],
  [
    { timeoutDefault: { afterMs: 0, answer: "deny" } },
    "`timeoutDefault.afterMs` is 0; it must be a number of milliseconds above 0, up to 2147483647.",
  ],
  [
    { timeoutDefault: { afterMs: 1, answer: "yes" } },
    '`timeoutDefault.answer` is "yes"; it must be one of once, session, always, deny.',
  ],
  [
    { timeoutDefault: { afterMs: 1 } },
    "`timeoutDefault.answer` is undefined; it must be one of once, session, always, deny.",
  ],
  [{ onInterrupt: 5 }, "`onInterrupt` is 5; it must be a function."],
] as const)("options of a terminal approver that cannot be used are refused: %j", ([given, problem]) => {
  const options = given === undefined ? given : { ...pseudoTerminal(), ...given };
  expect(() => createTerminalApprover(options as never)).toThrow(new HarnessError("HARNESS_OPTION_INVALID", problem));
});
