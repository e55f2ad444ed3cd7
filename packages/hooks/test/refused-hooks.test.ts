import { createHookBus, defineHook, type Hook, type HookDefinition } from "@hookscope/hooks";
import { describe, expect, test } from "vitest";

import { refusal } from "./support.ts";

const call = (): void => {};

describe("defineHook", () => {
  const rows: readonly (readonly [string, unknown, string])[] = [
    [
      "nothing",
      undefined,
      "HOOK_NAME_MISSING: the hook has no name; give it a non-blank one: `name` identifies a hook in spans and metrics.",
    ],
    [
      "no name",
      { on: { pre_llm_call: call } },
      "HOOK_NAME_MISSING: the hook has no name; give it a non-blank one: `name` identifies a hook in spans and metrics.",
    ],
    [
      "a blank name",
      { name: " ", on: { pre_llm_call: call } },
      'HOOK_NAME_MISSING: the hook has the name " "; give it a non-blank one: `name` identifies a hook in spans and metrics.',
    ],
    [
      "no `on`",
      { name: "a" },
      'HOOK_POINTS_EMPTY: hook "a" names no hook point; give at least one, as a function under `on`.',
    ],
    [
      "an empty `on`",
      { name: "a", on: {} },
      'HOOK_POINTS_EMPTY: hook "a" names no hook point; give at least one, as a function under `on`.',
    ],
    [
      "a camelCase point",
      { name: "a", on: { preLlmCall: call } },
      'HOOK_POINT_UNKNOWN: hook "a" names "preLlmCall", which is no hook point; did you mean "pre_llm_call"?',
    ],
    [
      "a kebab-case point",
      { name: "a", on: { "post-tool-call": call } },
      'HOOK_POINT_UNKNOWN: hook "a" names "post-tool-call", which is no hook point; did you mean "post_tool_call"?',
    ],
    [
      "a mistyped point",
      { name: "a", on: { on_sesion_end: call } },
      'HOOK_POINT_UNKNOWN: hook "a" names "on_sesion_end", which is no hook point; did you mean "on_session_end"?',
    ],
    [
      "a handler that is no function",
      { name: "a", on: { pre_llm_call: 1 } },
      'HOOK_NOT_CALLABLE: hook "a": on.pre_llm_call is 1; give a function.',
    ],
    [
      "a limit of 0",
      { name: "a", timeoutMs: 0, on: { pre_llm_call: call } },
      'HOOK_TIMEOUT_INVALID: hook "a": timeoutMs is 0; give milliseconds above 0 and at most 2147483647. There is no value for "no limit".',
    ],
    [
      "another reinvoke",
      { name: "a", reinvoke: "always", on: { pre_llm_call: call } },
      'HOOK_REINVOKE_INVALID: hook "a": reinvoke is "always"; use "never" or "if_modified".',
    ],
  ];

  test.for(rows)("refuses %s", ([, definition, message]) => {
    expect(refusal(() => defineHook(definition as HookDefinition))).toBe(message);
  });

  test("a name that is like no point gets the whole list", () => {
    const definition = { name: "a", on: { "completely different": call } } as HookDefinition;
    expect(refusal(() => defineHook(definition))).toMatch(
      /^HOOK_POINT_UNKNOWN: hook "a" names "completely different", which is no hook point; the points are pre_gateway_dispatch, .*, on_session_finalize\.$/,
    );
  });
});

describe("register", () => {
  const unusable: readonly (readonly [string, unknown, string])[] = [
    [
      "functions under `on` that nobody gave to defineHook",
      { name: "a", on: { pre_llm_call: call } },
      'HOOK_NOT_CALLABLE: hook "a": it has functions under `on` and no `call`; wrap it in defineHook(…), and register what that returns.',
    ],
    [
      "no function",
      { name: "a", points: ["pre_llm_call"] },
      'HOOK_NOT_CALLABLE: hook "a": it has no `call`; give a function, or make the hook with defineHook.',
    ],
    [
      "a call that is none",
      { name: "a", points: ["pre_llm_call"], call: "watch" },
      'HOOK_NOT_CALLABLE: hook "a": call is "watch"; give a function.',
    ],
    [
      "one point that is not in a list",
      { name: "a", points: "pre_llm_call", call },
      'HOOK_POINTS_EMPTY: hook "a" names no hook point: `points` is "pre_llm_call"; give at least one, in the list `points`.',
    ],
    [
      "no points",
      { name: "a", points: [], call },
      'HOOK_POINTS_EMPTY: hook "a" names no hook point; give at least one, in the list `points`.',
    ],
    [
      "a limit in a text",
      { name: "a", points: ["pre_llm_call"], call, timeoutMs: "60" },
      'HOOK_TIMEOUT_INVALID: hook "a": timeoutMs is "60"; give milliseconds above 0 and at most 2147483647. There is no value for "no limit".',
    ],
    [
      "a limit without a text",
      { name: "a", points: ["pre_llm_call"], call, timeoutMs: Object.create(null) },
      'HOOK_TIMEOUT_INVALID: hook "a": timeoutMs is an object; give milliseconds above 0 and at most 2147483647. There is no value for "no limit".',
    ],
  ];

  test.for(unusable)("refuses %s", ([, hook, message]) => {
    expect(refusal(() => createHookBus().register(hook as Hook))).toBe(message);
  });

  test("a point that is no name at all is refused with a code", () => {
    const hook = { name: "a", points: [Object.create(null)], call: () => undefined } as unknown as Hook;
    expect(() => createHookBus({ hooks: [hook] })).toThrow(
      /^HOOK_POINT_UNKNOWN: hook "a" names an object, which is no hook point; the points are /,
    );
  });
});
