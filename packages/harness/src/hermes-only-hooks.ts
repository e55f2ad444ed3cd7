const AUXILIARY = "side model calls fire pre_api_request and post_api_request here, told apart by `purpose`";
const KANBAN = "there is no task board here";
const STREAM =
  "a stream's start and end are events of the loop (message_start, message_end); its deltas are on_stream_delta";

/** Hooks of Hermes that have no hook point here, and why. */
export const HERMES_ONLY_HOOKS: { readonly [Name in string]: string } = {
  pre_verify: "a mod's onStop keeps a turn going",
  pre_tts_synthesis: "nothing is spoken here",
  transform_terminal_output: "transform_tool_result changes the result of the shell tool, as of any other",
  pre_transcription: "nothing is transcribed here",
  pre_auxiliary_call: AUXILIARY,
  post_auxiliary_call: AUXILIARY,
  on_stream_start: STREAM,
  on_stream_end: STREAM,
  on_interim_message: "the texts of a round are events of the loop (message_end)",
  on_session_reset: "a reset session is finalized, and the one after it started",
  on_skill_lifecycle: "the loop's event is skill_loaded",
  pre_command: "commands are handled before a message becomes a turn",
  gateway_platform_event: "only messages of platforms are known here",
  on_room_member_activity: "only messages of platforms are known here",
  kanban_task_claimed: KANBAN,
  kanban_task_completed: KANBAN,
  kanban_task_blocked: KANBAN,
  on_kanban_worker_spawned: KANBAN,
  on_kanban_worker_exited: KANBAN,
  on_kanban_stale_claim: KANBAN,
  on_kanban_task_updated: KANBAN,
  on_kanban_dispatch_tick: KANBAN,
};
