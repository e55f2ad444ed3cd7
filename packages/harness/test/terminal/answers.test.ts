import { expect, test } from "vitest";

import { createTerminalApprover } from "../../src/terminal-approver.ts";
import { pseudoTerminal, request, turnOfTheLoop } from "./pseudo-terminal.ts";

/** The start of the line, and nothing below. */
const CLEAR = "\u001b[1G\u001b[0J";
const SIGNAL = new AbortController().signal;

test.for([
  ["y", "once"],
  ["YES", "once"],
  ["once", "once"],
  ["s", "session"],
  [" session ", "session"],
  ["a", "always"],
  ["always", "always"],
  ["n", "deny"],
  ["no", "deny"],
  ["deny", "deny"],
])("%s answers %s", async ([typed, answer]) => {
  const terminal = pseudoTerminal();
  const asked = createTerminalApprover(terminal).ask(request(), { signal: SIGNAL });
  terminal.type(`${typed}\r`);
  expect(await asked).toBe(answer);
});

test("a wrong answer allows nothing, and is asked for again", async () => {
  const terminal = pseudoTerminal();
  const asked = createTerminalApprover(terminal).ask(request(), { signal: SIGNAL });
  await turnOfTheLoop();
  const first = terminal.drawn();
  const prompt = first.slice(first.lastIndexOf("[y] once"));
  for (const wrong of ["", "maybe", "constructor", "yy"]) {
    terminal.type(`${wrong}\r`);
    await turnOfTheLoop();
    expect(terminal.drawn().endsWith(`\r\n${CLEAR}${prompt}`)).toBe(true);
  }
  terminal.type("n\r");
  expect(await asked).toBe("deny");
});

test("end of input denies", async () => {
  const terminal = pseudoTerminal();
  const asked = createTerminalApprover(terminal).ask(request(), { signal: SIGNAL });
  terminal.input.end();
  expect(await asked).toBe("deny");
});

test("an input that is over already denies", async () => {
  const terminal = pseudoTerminal();
  const approver = createTerminalApprover(terminal);
  terminal.input.end();
  await approver.ask(request(), { signal: SIGNAL });
  await turnOfTheLoop();
  expect(await approver.ask(request(), { signal: SIGNAL })).toBe("deny");
});

test("Ctrl-D on an empty line denies", async () => {
  const terminal = pseudoTerminal();
  const asked = createTerminalApprover(terminal).ask(request(), { signal: SIGNAL });
  terminal.type("\u0004");
  expect(await asked).toBe("deny");
});

test("Ctrl-C denies where nobody takes it as an interrupt", async () => {
  const terminal = pseudoTerminal();
  const asked = createTerminalApprover(terminal).ask(request(), { signal: SIGNAL });
  terminal.type("\u0003");
  expect(await asked).toBe("deny");
});

test("Ctrl-C aborts where it interrupts the turn", async () => {
  const terminal = pseudoTerminal();
  const controller = new AbortController();
  const onInterrupt = (): void => controller.abort(new Error("interrupted"));
  const asked = createTerminalApprover({ ...terminal, onInterrupt }).ask(request(), { signal: controller.signal });
  terminal.type("\u0003");
  await expect(asked).rejects.toThrow("interrupted");
});

test("questions one after another each get their own answer", async () => {
  const terminal = pseudoTerminal();
  const approver = createTerminalApprover(terminal);
  for (const [typed, answer] of [
    ["y", "once"],
    ["n", "deny"],
    ["s", "session"],
  ] as const) {
    const asked = approver.ask(request(), { signal: SIGNAL });
    terminal.type(`${typed}\r`);
    expect(await asked).toBe(answer);
  }
});

test("questions of several turns wait for each other", async () => {
  const terminal = pseudoTerminal();
  const approver = createTerminalApprover(terminal);
  const interrupted = new AbortController();
  const first = approver.ask(request({ question: "First?" }), { signal: SIGNAL });
  const second = approver.ask(request({ question: "Second?" }), { signal: interrupted.signal });
  const third = approver.ask(request({ question: "Third?" }), { signal: SIGNAL });
  await turnOfTheLoop();
  expect(questionsIn(terminal.drawn())).toEqual(["First?"]);
  interrupted.abort(new Error("interrupted"));
  terminal.type("y\r");
  expect(await first).toBe("once");
  await expect(second).rejects.toThrow("interrupted");
  await turnOfTheLoop();
  expect(questionsIn(terminal.drawn())).toEqual(["Third?"]);
  terminal.type("n\r");
  expect(await third).toBe("deny");
});

function questionsIn(drawn: string): readonly string[] {
  return Array.from(drawn.matchAll(/Approval: (.*)/g), (match) => match[1] ?? "");
}
