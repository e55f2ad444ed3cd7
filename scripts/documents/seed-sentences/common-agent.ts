import type { Seed } from "./types.ts";

const BUS = "packages/hooks/test/seed-commonagent.test.ts";
const RULES = "packages/hooks/test/seed-commonagent-rules.test.ts";
const LOOP = "packages/harness/test/seed-commonagent.test.ts";
const DIRECTIVES = "packages/harness/test/seed-commonagent-directives.test.ts";
const SEQUENCE = "packages/harness/test/sequence";
const TURNS = "packages/harness/test/turns";
const MODEL = "packages/harness/test/model";

export const COMMON_AGENT: Seed = {
  title: "CommonAgent: hooks",
  sections: [
    {
      title: "Three kinds",
      file: BUS,
      sentences: [
        "Twenty-two hook points fire as a turn runs",
        "directive can return Block, AskUser, Modify",
        "transform can return Modify with a replacement",
        "observer can return anything; it is ignored",
        "Continue: no change",
        "AskUser: pause until a person answers (pre_tool_call only)",
      ],
    },
    {
      title: "Hook points",
      file: LOOP,
      sentences: [
        "To see these fire in order for one message",
        { says: "kind and payload of each of the 22 rows", test: "%s is a %s with the payload %s", in: BUS },
        {
          says: "pre_gateway_dispatch: each inbound message, at ingress",
          test: "an inbound message: ingress, its session, admission, then its turn",
          in: `${SEQUENCE}/gateway.test.ts`,
        },
        {
          says: "post_gateway_admission: after the session is resolved",
          test: "an inbound message: ingress, its session, admission, then its turn",
          in: `${SEQUENCE}/gateway.test.ts`,
        },
        {
          says: "on_session_start: first turn of a new session",
          test: "on_session_start fires only on the first turn of a session",
          in: `${TURNS}/sessions.test.ts`,
        },
        "pre_llm_call: once per turn, before the loop",
        {
          says: "pre_api_request: each model call",
          test: "pre_api_request and post_api_request tell provider, model, round, attempt, counts, usage and stop",
          in: `${MODEL}/requests.test.ts`,
        },
        {
          says: "post_api_request: each successful model call",
          test: "a model error with retries: three are silent, the fourth is an event, then the answer",
          in: `${SEQUENCE}/retries.test.ts`,
        },
        {
          says: "api_request_error: each failed model call",
          test: "every attempt used up: the turn fails with the last error and how often it was tried",
          in: `${MODEL}/stream-faults.test.ts`,
        },
        {
          says: "transform_api_error_classification: each failed model call",
          test: "a classification hook makes an error retryable: the call is tried again",
          in: `${SEQUENCE}/retries.test.ts`,
        },
        { says: "on_stream_delta: reserved: no streaming yet", departure: "0004-no-reserved-points.md" },
        { says: "pre_tool_call: each tool call", departure: "0005-pre-tool-call-sees-what-would-run.md" },
        "post_tool_call: each result, including blocked and failed calls",
        "transform_tool_result: after post_tool_call",
        {
          says: "pre_approval_request: before asking a person",
          test: "a call a person approves runs after the answer",
          in: `${SEQUENCE}/stopped-calls.test.ts`,
        },
        {
          says: "post_approval_response: after the answer",
          test: "a call a person approves runs after the answer",
          in: `${SEQUENCE}/stopped-calls.test.ts`,
        },
        {
          says: "subagent_start: each child agent starts; child_role, child_goal, parent ids",
          test: "subagent_start and subagent_stop carry the same ids",
          in: `${TURNS}/subagents.test.ts`,
        },
        {
          says: "subagent_stop: each child agent ends; child_status, child_summary",
          test: "subagent_start and subagent_stop carry the same ids",
          in: `${TURNS}/subagents.test.ts`,
        },
        "transform_llm_output: before the reply is returned",
        {
          says: "post_llm_call: once per completed turn",
          test: "how a turn ends",
          in: `${TURNS}/how-a-turn-ends.test.ts`,
        },
        { says: "post_compaction: reserved: no compaction yet", departure: "0004-no-reserved-points.md" },
        {
          says: "agent_loop_stopped: after an interrupt",
          test: "how a turn ends",
          in: `${TURNS}/how-a-turn-ends.test.ts`,
        },
        {
          says: "on_session_end: end of every turn",
          test: "how a turn ends",
          in: `${TURNS}/how-a-turn-ends.test.ts`,
        },
        { says: "on_session_finalize: reserved: session teardown", departure: "0004-no-reserved-points.md" },
        "Every event also carries the turn's TurnInfo in event.turn, except the two gateway hooks",
      ],
    },
    {
      title: "What each directive can do",
      file: DIRECTIVES,
      sentences: [
        {
          says: "pre_gateway_dispatch: Block skips the message",
          test: "pre_gateway_dispatch: a block skips the message",
          in: `${SEQUENCE}/gateway.test.ts`,
        },
        {
          says: 'pre_gateway_dispatch: Modify({"text": "..."}) rewrites it',
          test: "pre_gateway_dispatch: a rewritten text is what admission and the model are given",
          in: `${SEQUENCE}/gateway.test.ts`,
        },
        {
          says: "post_gateway_admission: Block means the hook handled the message; no turn runs",
          test: "post_gateway_admission: a block means the hook handled the message; no turn runs",
          in: `${SEQUENCE}/gateway.test.ts`,
        },
        {
          says: 'pre_llm_call: Modify({"context": "..."}) adds context for this turn only',
          test: "they are there in every round of the turn, and nowhere in the log, the system prompt or the next turn",
          in: `${TURNS}/turn-context.test.ts`,
        },
        {
          says: "pre_llm_call: It fails open",
          test: "a hook of pre_llm_call that fails is skipped, and the others' contexts stay",
          in: `${TURNS}/turn-context.test.ts`,
        },
        "pre_tool_call: Block stops the tool",
        "pre_tool_call: AskUser asks for approval",
        "pre_tool_call: Modify changes the arguments",
        "pre_tool_call: It fails closed",
      ],
    },
    {
      title: "The rules",
      file: RULES,
      sentences: [
        "1. Hooks run in registration order",
        "2. The first Block wins, even over an earlier AskUser",
        "3. Directive Modify objects are shallow-merged in order",
        { says: "3. … as a whole, also `context` and `args`", departure: "0001-contexts-are-joined.md" },
        "3. For transforms, the first Modify wins",
        "4. A result a point doesn't accept is logged and ignored",
        { says: "4. … each time", departure: "0002-ignored-results-are-counted.md" },
        "5. A hook that errors or takes longer than 60 seconds blocks the action on pre_tool_call and is skipped everywhere else",
        { says: "5. … each time anew", departure: "0003-suspension.md" },
        "Only pre_tool_call fails closed",
      ],
    },
    {
      title: "Write a hook",
      file: RULES,
      sentences: [
        "An observer that prints each model call's token usage",
        "A directive that stops client agents from delegating",
        { says: "`delegate_task`", departure: "0006-the-tool-is-called-agent.md" },
        { says: "The model gets `Blocked: client agents work alone` as the tool's result", in: DIRECTIVES },
        { says: "Register hooks on a HookBus when you embed, or with ctx.hook(...) from a plugin", in: DIRECTIVES },
      ],
    },
  ],
};
