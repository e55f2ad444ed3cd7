import type { SeedSection } from "./types.ts";

const HERE = "packages/harness/test/seed-command-code";
const END = `${HERE}/lifecycle-end.test.ts`;
const CONTEXT = `${HERE}/context-contracts.test.ts`;
const ORDER = `${HERE}/ordering-guarantees.test.ts`;
const LOADED = "packages/harness/test/loadable/attached.test.ts";

export const LIFECYCLE: readonly SeedSection[] = [
  {
    title: "Hooks and events",
    file: `${HERE}/mods.test.ts`,
    sentences: [
      "A **mod** is a plain object of lifecycle hooks that mutates agent state or changes loop decisions",
      "they subscribe to the `AgentEvent` stream",
      {
        says: "In a loadable mod, `cmd.hooks({...})` registers the hooks and `cmd.on(event, ...)` subscribes to events",
        test: "hooks, an event listener and a tool take effect, after the embedder's own mods",
        in: LOADED,
      },
      "A mod may also contribute **tools**",
      { says: "every hook receives a **`ModContext`**", test: "Every hook receives `ModContext`", in: ORDER },
      "so a mod can raise its own events",
      {
        says: "and persist durable state without extra plumbing",
        test: "a durable, per-entry seam onto the SAME append-only file the transcript lives in",
        in: `${HERE}/session.test.ts`,
      },
    ],
  },
  {
    title: "Lifecycle",
    file: `${HERE}/lifecycle.test.ts`,
    sentences: [
      {
        says: "The loop below is the agent loop, verbatim in ordering",
        test: "a tool call: the whole sequence of a turn with two rounds",
        in: "packages/harness/test/sequence/tool-call.test.ts",
      },
      "One `run()` = one user turn → many model turns",
      "fork AbortController",
      "working := state (+ user message when userInput given)",
      {
        says: "ctx := {emit, signal, cwd, session} - built ONCE per run",
        test: "the context is one real object for all hooks of a mod in a run, and another one in the next run",
        in: "packages/harness/test/mods/invocations.test.ts",
      },
      "run_start {sessionId}",
      "poll getSteeringMessages once (catch pre-run queued input)",
      "abort check → stop: interrupted (→ interrupted)",
      {
        says: "onTurnStart (each mod, in order; returns new state)",
        test: "`onTurnStart` / `onTurnEnd` return the new `AgentState`, which the loop threads onward and commits",
        in: `${HERE}/turn-contracts.test.ts`,
      },
      {
        says: "turn_start {turnNumber}",
        test: "every event of a run carries its time and its run, and from a round's turn_start on until the next its round",
        in: `${HERE}/events.test.ts`,
      },
      "read live permission mode ONCE - pinned for this round",
      "resolve systemPrompt (string | builder({sessionId, state, permissionMode}))",
      {
        says: "appendSystemPrompt (each mod; non-empty returns joined with '\\n\\n', …)",
        test: "Every mod's non-empty return is joined",
        in: CONTEXT,
      },
      {
        says: "transformContext (each mod; messages threaded mod→mod; result is EPHEMERAL …)",
        test: "The result is used for this model call only and never written back to `state.messages`",
        in: CONTEXT,
      },
      "prepareForSend (core wire-validity pass: orphan heal, merge, strip meta)",
      "model_request_start {model}",
      "modelClient.complete(...) (streams → …; retry → api_retry)",
      {
        says: "model_request_end {model, usage, stopReason}",
        test: "`model_request_start/end` bracket the inference call",
        in: `${HERE}/stream-events.test.ts`,
      },
      {
        says: "message_end {content}",
        test: "`message_end` carries the full assistant content",
        in: `${HERE}/stream-events.test.ts`,
      },
      "working += assistant message (provider-executed blocks filtered out)",
      { says: "working += tool-results user message", in: END },
      {
        says: "working := setModState(...) for every afterToolCall `modState` contribution",
        test: "`afterToolCall`'s `modState` is committed right after the batch's tool-result message",
        in: ORDER,
      },
      { says: "any deny → pendingStop: permission_denied", in: END },
      { says: "any terminate → pendingStop: terminate", in: END },
      { says: "else poll getSteeringMessages → append (source 'steering')", in: END },
      {
        says: "onTurnEnd (each mod; receives THIS turn's usage; returns new state)",
        test: "`onTurnEnd`'s `usage` is *this turn's* token usage",
        in: `${HERE}/turn-contracts.test.ts`,
      },
      { says: "turn_end {turnNumber, hadToolCalls, usage}", in: END },
      {
        says: "onCommit(working) ← the durability boundary",
        test: "`onCommit` fires once per completed turn",
        in: ORDER,
      },
      { says: "pendingStop? → stop", in: END },
      {
        says: "shouldStopAfterTurn (any true) → stop: stop_hook",
        test: "`shouldStopAfterTurn`: **any** mod returning `true` ends the run",
        in: `${HERE}/turn-contracts.test.ts`,
      },
      { says: "turnNumber ≥ maxTurns → stop: max_turns", in: END },
      { says: "no follow-up wanted → onStop (any continue → keep going) else stop: end_turn", in: END },
      {
        says: "prepareNextTurn (merged; later mods win) → may swap model / effort",
        test: "Results are merged across mods - later mods override earlier ones per field",
        in: CONTEXT,
      },
      { says: "onRunEnd (each mod, awaited)", test: "`onRunEnd` is **awaited** before the `run_end` event", in: ORDER },
      { says: "run_end {result}", in: END },
    ],
  },
  {
    title: "Tool-dispatch order",
    file: `${HERE}/tool-dispatch.test.ts`,
    sentences: [
      "tool_queued {toolCallId, toolName, input} ← ALWAYS the original input",
      "phase 1 - permissions (always sequential)",
      "permissions.generateDescription (5s timeout → null)",
      "permissions.check({toolName, input, description, permissionMode})",
      "throw ⇒ deny (fail closed)",
      "deny → tool_denied; batch aborted: every call gets a tool_result",
      "run stops with permission_denied AFTER the turn commits",
      "phase 2 - execution (sequential, or parallel when config.toolExecution='parallel')",
      "beforeToolCall: `input` rewrites CHAIN mod→mod; execution uses the LAST mod's input",
      "block ⇒ tool_hook_blocked {hookOutput}",
      "tool_running {toolCallId, toolName, description}",
      "toolRunner.execute({toolName, input: <possibly rewritten>, signal, onUpdate})",
      "afterToolCall (each mod, in order; sees current content, may replace it, …)",
      "beforeToolCall additionalContext strings appended to the final content",
      "tool_completed {result} (or → tool_errored {error})",
    ],
  },
  {
    title: "Ordering guarantees mod authors can rely on",
    file: ORDER,
    sentences: [
      "Every hook receives `ModContext` (`{emit, signal, cwd, session?}`) as its LAST argument",
      "a hook that only declares the params object keeps compiling and running unchanged",
      "`beforeToolCall` completes (for every mod) **before** `tool_running` is emitted",
      "the `tool_queued` event fired with the ORIGINAL input before any hook ran and is never re-emitted",
      "`afterToolCall` completes **before** `tool_completed` / `tool_errored` is emitted",
      "the terminal event carries the post-hook content, and its `isError` decides which of the two fires",
      "`afterToolCall`'s `modState` is committed right after the batch's tool-result message",
      "`onTurnStart` precedes `turn_start`; `onTurnEnd` precedes `turn_end` and `onCommit`",
      "`onCommit` fires once per completed turn with the full serializable state",
      "`shouldStopAfterTurn` is evaluated **after** the turn commits, so a stop_hook never loses the turn",
      "`prepareNextTurn` runs only when the loop actually continues (never on a stopping turn)",
      "`onRunEnd` is **awaited** before the `run_end` event",
      "event subscribers must never be",
      "Mods run in **registration order** in every phase",
      {
        says: "the built-ins come first and caller mods last (they see post-compaction context …)",
        test: "its events, its bus point and its place before the model's request, in order",
        in: "packages/harness/test/compaction/compaction.test.ts",
      },
      ...[
        "Hooks **never throw** upward: the runner catches per-mod, per-hook",
        "A failing `transformContext` leaves messages unchanged",
        "a failing `onTurnStart`/`onTurnEnd` keeps the prior state",
        'a failing `shouldStopAfterTurn` means "don\'t stop"',
        "failing tool hooks are skipped",
        "Every catch site ALSO emits a `mod_error {modId, hook, error}` event",
      ].map((says) => ({ says, in: `${HERE}/hooks-never-throw.test.ts` })),
    ],
  },
];
