import {
  askUser,
  block,
  defineHook,
  modify,
  proceed,
  type HookContext,
  type TurnInfo,
  type Usage,
} from "@hookscope/hooks";
import { expectTypeOf, test } from "vitest";

test("each point takes what its row accepts, several in one hook", () => {
  defineHook({
    name: "all",
    on: {
      pre_gateway_dispatch: () => modify({ text: "x" }),
      post_gateway_admission: () => block("handled"),
      pre_llm_call: async () => modify({ context: "x" }),
      pre_tool_call: ({ payload }) =>
        payload.risk === "high"
          ? askUser("really?")
          : payload.risk === "low"
            ? block("no")
            : modify({ args: { a: 1 } }),
      transform_tool_result: () => modify("x"),
      transform_api_error_classification: () => modify({ retryable: true, retry_after_ms: 10 }),
      post_tool_call: () => proceed(),
      on_session_end: async () => {},
    },
  });
});

test("a wrong result does not compile", () => {
  // @ts-expect-error an observer cannot block
  defineHook({ name: "a", on: { on_session_end: () => block("no") } });
  // @ts-expect-error nor modify
  defineHook({ name: "a", on: { post_tool_call: () => modify("x") } });
  // @ts-expect-error a question is for pre_tool_call only
  defineHook({ name: "a", on: { pre_llm_call: () => askUser("?") } });
  // @ts-expect-error pre_llm_call does not block
  defineHook({ name: "a", on: { pre_llm_call: () => block("no") } });
  // @ts-expect-error nor does it take arguments
  defineHook({ name: "a", on: { pre_llm_call: () => modify({ args: {} }) } });
  // @ts-expect-error a context is a text
  defineHook({ name: "a", on: { pre_llm_call: () => modify({ context: 1 }) } });
  // @ts-expect-error a transform does not block
  defineHook({ name: "a", on: { transform_tool_result: () => block("no") } });
  // @ts-expect-error a tool result is replaced by a text
  defineHook({ name: "a", on: { transform_tool_result: () => modify({ result: "x" }) } });
  // @ts-expect-error a promise of a wrong result is as wrong
  defineHook({ name: "a", on: { on_session_end: async () => block("no") } });
  // @ts-expect-error a text is no result
  defineHook({ name: "a", on: { pre_tool_call: () => "block" } });
  // @ts-expect-error no such point
  defineHook({ name: "a", on: { pre_tool_cal: () => {} } });
});

test("one wrong point among right ones does not compile, and the error stands at it", () => {
  defineHook({
    name: "mixed",
    on: {
      pre_tool_call: () => block("no"),
      // @ts-expect-error an observer cannot block
      post_tool_call: () => block("no"),
      pre_llm_call: () => modify({ context: "x" }),
      // @ts-expect-error nor here
      on_session_start: () => askUser("?"),
    },
  });
});

test("each handler's event is typed by its row", () => {
  defineHook({
    name: "typed",
    on: {
      pre_gateway_dispatch({ point, payload, turn }) {
        expectTypeOf(point).toEqualTypeOf<"pre_gateway_dispatch">();
        expectTypeOf(payload.session_id).toEqualTypeOf<string | null>();
        expectTypeOf(turn).toEqualTypeOf<undefined>();
      },
      post_gateway_admission({ turn }) {
        expectTypeOf(turn).toEqualTypeOf<undefined>();
      },
      post_api_request({ payload, turn }, context) {
        expectTypeOf(payload.usage).toEqualTypeOf<Usage>();
        expectTypeOf(turn).toEqualTypeOf<TurnInfo>();
        expectTypeOf(context).toEqualTypeOf<HookContext>();
        // @ts-expect-error a total of the turn is one of the table's numbers
        context.turn?.add("agent_turn.outcome", 1);
        // @ts-expect-error and no other name
        context.turn?.add("cost", 1);
        context.turn?.add("agent_turn.cost_usd", 1);
      },
      pre_tool_call({ payload }) {
        // @ts-expect-error payloads are read only
        payload.tool_name = "x";
      },
    },
  });
});
