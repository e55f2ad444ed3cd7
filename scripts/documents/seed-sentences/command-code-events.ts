import type { SeedSection, SeedSentence } from "./types.ts";

const HERE = "packages/harness/test/seed-command-code";
const DISPATCH = `${HERE}/tool-dispatch.test.ts`;
const STREAM = `${HERE}/stream-events.test.ts`;
const HARNESS = "packages/harness/test";

const at = (file: string, says: string, test?: string): SeedSentence => ({
  says,
  in: file,
  ...(test === undefined ? {} : { test }),
});

/** Events whose cause is a host's: typed, and emitted through `ctx.emit`. */
const HOST_EVENTS = "events that only a host or a mod can cause are emitted through `ctx.emit`";

export const EVENTS: readonly SeedSection[] = [
  {
    title: "`AgentEvent` catalog",
    file: `${HERE}/events.test.ts`,
    sentences: [
      "One sync sink, fan out with `createEventBus`",
      "Payloads are snapshots - never live references",
      at(`${HERE}/lifecycle.test.ts`, "`run_start`", "run_start {sessionId}"),
      at(`${HERE}/lifecycle-end.test.ts`, "`run_end`", "run_end {result}"),
      at(`${HERE}/lifecycle-end.test.ts`, "`turn_start` / `turn_end`", "turn_end {turnNumber, hadToolCalls, usage}"),
      at(STREAM, "`message_start` | before each model call"),
      at(STREAM, "`text_delta`, `thinking_start/delta/end` | streaming | `thinking_end` carries full text"),
      at(STREAM, "`message_update` | whole partial assistant message incl. partial tool JSON"),
      at(STREAM, "`message_end` carries the full assistant content"),
      at(STREAM, "`model_request_start/end` bracket the inference call"),
      "`tool_queued` | per call, before permission checks | `input` - the ORIGINAL input",
      at(DISPATCH, "`tool_denied` | permission denied", "deny → tool_denied; batch aborted"),
      "`tool_hook_blocked` is **terminal for that call**",
      {
        says: "`tool_hook_blocked` | a mod's beforeToolCall blocked",
        departure: "0007-one-event-for-a-stopped-call.md",
      },
      at(DISPATCH, "`tool_running`", "tool_running {toolCallId, toolName, description}"),
      at(DISPATCH, "`tool_update`", "toolRunner.execute({toolName, input: <possibly rewritten>, signal, onUpdate})"),
      at(DISPATCH, "`tool_completed` / `tool_errored`", "tool_completed {result} (or → tool_errored {error})"),
      at("packages/command-hooks/test/tool-hooks.test.ts", "`tool_hooks` | emitted by the user-hooks mod"),
      "`subagent_start` / `subagent_stop` bracket a nested run; `subagent_progress` per child tool call",
      at(
        `${HARNESS}/model/retry-waits.test.ts`,
        "`api_retry` | retry loop, after 3 silent attempts | `attempt`, `error`, `delayMs`",
        "api_retry says which attempt failed, how, and how long it waits",
      ),
      at(
        `${HARNESS}/compaction/compaction.test.ts`,
        "`compaction_start` / `compaction_done` | `tokensSaved`",
        "its events, its bus point and its place before the model's request, in order",
      ),
      at(`${HERE}/events.test.ts`, "`notice` | `level`, `message`", HOST_EVENTS),
      at(`${HERE}/events.test.ts`, "`skill_loaded` | `name`", HOST_EVENTS),
      at(
        `${HARNESS}/mods/titling.test.ts`,
        "`session_titled` | the auto-generated session title was persisted",
        "a session gets a title in its first round, once; it is committed with the round",
      ),
      at(`${HERE}/events.test.ts`, "`permission_mode_changed` | `mode`", HOST_EVENTS),
      at(`${HERE}/events.test.ts`, "`config_setting_changed` | `setting`, `value`, `previousValue?`", HOST_EVENTS),
      at(
        `${HARNESS}/recovery/continuation.test.ts`,
        "`continuation_recovery` | a turn was auto-continued (pause/empty/length/intent)",
        "an answer that is no end is followed up",
      ),
      "`tool_input_coerced` | ModelClient rescued malformed (array/null) tool input",
      at(
        `${HARNESS}/recovery/repair.test.ts`,
        "`tool_input_repaired` | repair layer rewrote tool input pre-execution (fires whether or not the call then ran)",
        "it is told between tool_queued and the permission check, whether or not the call then runs",
      ),
      at(
        `${HERE}/hooks-never-throw.test.ts`,
        "`mod_error` | a mod hook threw (any phase)",
        "Every catch site ALSO emits",
      ),
      "`mod_error` | a mod tool collided with an existing tool",
      at(`${HERE}/lifecycle.test.ts`, "`interrupted` | abort observed", "abort check → stop: interrupted"),
      at(
        `${HARNESS}/turns/how-a-turn-ends.test.ts`,
        "`run_error` | non-retryable failure | the raw `Error`",
        "an error carries the client's own as its cause, and run_error the raw Error",
      ),
    ],
  },
];
