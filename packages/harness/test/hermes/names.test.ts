import { expect, test } from "vitest";

import { HarnessError } from "../../src/errors.ts";
import { fromHermes, type HermesCallbacks } from "../../src/from-hermes.ts";
import { HERMES_ONLY_HOOKS } from "../../src/hermes-only-hooks.ts";
import { busOf, TOOL_CALL, TURN } from "./hermes-bus.ts";

const nothing = (): void => undefined;

test.for<{ readonly callbacks: unknown; readonly problem: string }>([
  {
    callbacks: { pre_tol_call: nothing },
    problem: 'names "pre_tol_call", which is no hook of Hermes: did you mean "pre_tool_call"?',
  },
  {
    callbacks: { preToolCall: nothing },
    problem: 'names "preToolCall", which is no hook of Hermes: did you mean "pre_tool_call"?',
  },
  {
    callbacks: { whatever_else_entirely: nothing },
    problem: 'names "whatever_else_entirely", which is no hook of Hermes.',
  },
  { callbacks: { constructor: nothing }, problem: 'names "constructor", which is no hook of Hermes.' },
  {
    callbacks: { pre_verify: nothing },
    problem: 'names "pre_verify", which has no hook point here: a mod\'s onStop keeps a turn going.',
  },
  {
    callbacks: { post_compaction: nothing },
    problem: 'names "post_compaction", which Hermes has not; use defineHook for it.',
  },
  { callbacks: { pre_tool_call: "block" }, problem: 'has no function at "pre_tool_call".' },
  { callbacks: {}, problem: "has no callbacks." },
  { callbacks: undefined, problem: "has no callbacks." },
])("$problem", ({ callbacks, problem }) => {
  expect(() => fromHermes("plugin", callbacks as HermesCallbacks)).toThrow(
    new HarnessError("HERMES_CALLBACK_INVALID", `hook "plugin" ${problem}`),
  );
});

test.for(Object.entries(HERMES_ONLY_HOOKS))("%s has no hook point here, and the error says why", ([name, reason]) => {
  expect(() => fromHermes("plugin", { [name]: nothing })).toThrow(`which has no hook point here: ${reason}.`);
});

test("one plugin's callbacks are one hook at several points", () => {
  const hook = fromHermes("plugin", { pre_tool_call: nothing, on_session_end: nothing });
  expect([hook.name, hook.points]).toEqual(["plugin", ["pre_tool_call", "on_session_end"]]);
});

test("a ported policy on delegate_task stops the agent tool", async () => {
  const policy = fromHermes("no_delegation", {
    pre_tool_call: ({ tool_name }) =>
      tool_name === "delegate_task" ? { action: "block", message: "alone" } : undefined,
  });
  const dispatch = async (tool_name: string): Promise<string> =>
    (await busOf([policy]).dispatch("pre_tool_call", { ...TOOL_CALL, tool_name }, { turn: TURN })).decision;
  expect([await dispatch("agent"), await dispatch("shell")]).toEqual(["block", "continue"]);
});

test("two names of Hermes for one tool are refused", () => {
  expect(() =>
    fromHermes("plugin", { pre_tool_call: nothing }, { toolNames: { terminal: "shell", bash: "shell" } }),
  ).toThrow(
    new HarnessError("HERMES_CALLBACK_INVALID", 'hook "plugin" maps both "terminal" and "bash" to the tool "shell".'),
  );
});
