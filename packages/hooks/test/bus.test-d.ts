import {
  createHookBus,
  HOOK_POINTS,
  turnInfo,
  type Hook,
  type HookEvent,
  type HookPoint,
  type HookPointRow,
  type HookPoints,
  type JsonObject,
  type TurnInfo,
  type Verdict,
} from "@hookscope/hooks";
import { expectTypeOf, test } from "vitest";

const bus = createHookBus();
const turn = turnInfo();
const message = { profile: "p", source: "s", session_id: null, text: "t" };
const call = { tool_name: "t", args: {}, risk: "low", call_id: "c" } as const;

test("dispatch needs a turn where the row has one, and takes none where it has not", () => {
  void bus.dispatch("pre_tool_call", call, { turn });
  void bus.dispatch("pre_gateway_dispatch", message);
  void bus.dispatch("pre_gateway_dispatch", message, { signal: AbortSignal.abort() });
  // @ts-expect-error no options
  void bus.dispatch("pre_tool_call", call);
  // @ts-expect-error no turn
  void bus.dispatch("pre_tool_call", call, {});
  // @ts-expect-error a turn before there is one
  void bus.dispatch("pre_gateway_dispatch", message, { turn });
});

test("the payload is the point's, or a function that makes it", () => {
  void bus.dispatch("pre_tool_call", () => call, { turn });
  // @ts-expect-error another point's payload
  void bus.dispatch("pre_tool_call", message, { turn });
  // @ts-expect-error a field is missing
  void bus.dispatch("pre_tool_call", () => ({ tool_name: "t" }), { turn });
  // @ts-expect-error no such point
  void bus.dispatch("pre_tool_cal", call, { turn });
});

type DecisionsAt<Point extends HookPoint> = Verdict<Point>["decision"];

test("a verdict can be what its row accepts, and no more", () => {
  expectTypeOf<DecisionsAt<"pre_tool_call">>().toEqualTypeOf<
    "continue" | "aborted" | "modify" | "ask_user" | "block"
  >();
  expectTypeOf<DecisionsAt<"pre_gateway_dispatch">>().toEqualTypeOf<"continue" | "aborted" | "modify" | "block">();
  expectTypeOf<DecisionsAt<"post_gateway_admission">>().toEqualTypeOf<"continue" | "aborted" | "block">();
  expectTypeOf<DecisionsAt<"pre_llm_call">>().toEqualTypeOf<"continue" | "aborted" | "modify">();
  expectTypeOf<DecisionsAt<"transform_llm_output">>().toEqualTypeOf<"continue" | "aborted" | "modify">();
  expectTypeOf<DecisionsAt<"on_session_end">>().toEqualTypeOf<"continue" | "aborted">();
});

type Modified<Point extends HookPoint> = Extract<Verdict<Point>, { decision: "modify" }>["value" &
  keyof Verdict<Point>];

test("a verdict's value is the row's", () => {
  expectTypeOf<Modified<"pre_tool_call">>().toEqualTypeOf<never>();
  const ofTool = {} as Extract<Verdict<"pre_tool_call">, { decision: "modify" }>;
  expectTypeOf(ofTool.value).toEqualTypeOf<{ readonly args: JsonObject }>();
  const ofAsk = {} as Extract<Verdict<"pre_tool_call">, { decision: "ask_user" }>;
  expectTypeOf(ofAsk.value).toEqualTypeOf<{ readonly args: JsonObject } | undefined>();
  const ofReply = {} as Extract<Verdict<"transform_llm_output">, { decision: "modify" }>;
  expectTypeOf(ofReply.value).toEqualTypeOf<string>();
  const ofContext = {} as Extract<Verdict<"pre_llm_call">, { decision: "modify" }>;
  expectTypeOf(ofContext.value).toEqualTypeOf<{ readonly context: string }>();
});

test("event.turn is typed per row, and an event narrows by its point", () => {
  const hook: Hook = {
    name: "a",
    points: ["pre_tool_call", "pre_gateway_dispatch"],
    call(event: HookEvent) {
      if (event.point === "pre_gateway_dispatch") {
        expectTypeOf(event.turn).toEqualTypeOf<undefined>();
        expectTypeOf(event.payload.text).toEqualTypeOf<string>();
      } else if (event.point === "pre_tool_call") {
        expectTypeOf(event.turn).toEqualTypeOf<TurnInfo>();
        expectTypeOf(event.payload.args).toEqualTypeOf<JsonObject>();
      }
      // @ts-expect-error before narrowing there may be no turn
      void event.turn.turn_id;
    },
  };
  bus.register(hook);
});

test("only on_stream_delta is streamed", () => {
  const stream = bus.stream("on_stream_delta", { turn });
  stream.push({ kind: "text", delta: "x", iteration: 1 });
  // @ts-expect-error another point
  bus.stream("pre_tool_call", { turn });
  // @ts-expect-error no turn
  bus.stream("on_stream_delta", {});
  // @ts-expect-error no such kind
  stream.push({ kind: "audio", delta: "x", iteration: 1 });
});

test("the table has a row for each point, and its columns are the types'", () => {
  expectTypeOf<keyof typeof HOOK_POINTS>().toEqualTypeOf<HookPoint>();
  expectTypeOf(HOOK_POINTS.pre_tool_call).toEqualTypeOf<HookPointRow<HookPoints["pre_tool_call"]>>();
  expectTypeOf(HOOK_POINTS.pre_gateway_dispatch.hasTurn).toEqualTypeOf<false>();
});
