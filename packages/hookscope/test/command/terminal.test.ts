import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

import { expect, test } from "vitest";

import { startChatServer } from "../fixtures/chat-server.ts";
import { COMMAND, environmentOf, withHome } from "../fixtures/command.ts";

/** Runs the command on a terminal of its own (util-linux `script`), and answers as it is asked. */
function onTerminal(
  home: string,
  args: readonly string[],
  answers: readonly (readonly [wait: string, answer: string])[],
) {
  const line = [...COMMAND, ...args].map((part) => `'${part.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    env: environmentOf(home, { TERM: "xterm", SHELL: "/bin/sh" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly exitCode: number | null;
    readonly screen: string;
  }>();
  const waiting = [...answers];
  let screen = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
    const next = waiting[0];
    const at = next === undefined ? -1 : screen.indexOf(next[0], seen);
    if (next === undefined || at < 0) return;
    seen = at + next[0].length;
    waiting.shift();
    child.stdin.write(next[1]);
  });
  child.once("error", reject);
  child.once("close", (exitCode) =>
    resolve({ exitCode, screen: stripVTControlCharacters(screen).replaceAll("\r\n", "\n") }),
  );
  return promise;
}

test("at a terminal a person is asked, and the demo runs again until it is left", async () => {
  await withHome(async (home) => {
    const { exitCode, screen } = await onTerminal(
      home,
      ["demo"],
      [
        ["(once after 10 s): ", "n\r"],
        ["q quits: ", "\r"],
        ["(once after 10 s): ", "y\r"],
        ["q quits: ", "q\r"],
      ],
    );
    expect(exitCode).toBe(0);
    expect([...screen.matchAll(/approval write_file .* (DENIED|ALLOWED)/g)].map(([, answer]) => answer)).toEqual([
      "DENIED",
      "ALLOWED",
    ]);
  });
});

test("Ctrl-C at the question interrupts the turn, which is shown all the same", async () => {
  await withHome(async (home) => {
    const { exitCode, screen } = await onTerminal(home, ["demo"], [["(once after 10 s): ", "\u0003"]]);
    expect(exitCode).toBe(130);
    expect(screen).toMatch(/Turn of maintainer: STOPPED in /);
    expect(screen).not.toContain("q quits");
  });
});

test("Ctrl-C while something runs interrupts the turn, too", async () => {
  await withHome(async (home) => {
    // Answers nothing: the turn waits for the model, and the terminal says so.
    const server = await startChatServer(() => undefined);
    const args = ["run", "What is this?", "--model", "local:small", "--base-url", server.url];
    const { exitCode, screen } = await onTerminal(home, args, [["for the model small", "\u0003"]]);
    expect(exitCode).toBe(130);
    expect(screen).toMatch(/Turn of hookscope: STOPPED in /);
    await server.close();
  });
});
