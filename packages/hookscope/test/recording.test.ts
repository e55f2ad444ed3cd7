import { expect, test } from "vitest";

import { configOf } from "../src/config/config.ts";
import { startRecording } from "../src/recording.ts";
import { captureTerminal } from "./fixtures/terminal.ts";

test("what is said on standard error cannot draw, and a warning cannot begin a line of its own", async () => {
  const { terminal, errors } = captureTerminal("/nowhere");
  const recording = startRecording(terminal, configOf(terminal), { runsTurns: false });
  recording.say("one \u001B[31mred\u001B[0m\ntwo\u0007");
  recording.logger.warn('hook "a" failed: \u001B]0;title\u0007gone\nhookscope: all is well');
  await recording.close();
  expect(errors()).toBe('one red\ntwo\u2407\nhookscope: hook "a" failed: gone hookscope: all is well\n');
});
