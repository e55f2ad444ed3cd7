/** Every error this package throws or reports: what it means and what to do about it. The documentation page is made from it. */
export const HARNESS_ERRORS: { readonly [Code in HarnessErrorCode]: string } = {
  HARNESS_OPTION_INVALID:
    "An option of the harness, or a field of what run or receive was given, cannot be used. The message names it and says what it must be.",
  HARNESS_CLOSED: "The harness was closed: no turn can start on it any more, and its plugins can register nothing.",
  MESSAGES_INVALID:
    "getSteeringMessages or getFollowUpMessages gave no list of texts, and neither one text nor nothing: the turn ends. Or queueMessage was given no text, or no way to deliver it: nothing is queued.",
  TOOL_INVALID: "A tool is no object, has no name, or has no execute function. The message says which.",
  TOOL_NAME_DUPLICATE: "Two tools have one name. Rename one, or leave one out.",
  TOOL_SCHEMA_INVALID: "A tool's inputSchema is no JSON Schema of an object. The message says where.",
  EVENT_LISTENER_INVALID: "A listener of events is no function, or the event it is for has no name.",
  MODEL_STREAM_INCOMPLETE: "The model's answer ended before it was finished. It is tried again.",
  MODEL_CALL_FAILED: "A model call failed for good: not retryable, or every attempt failed.",
  LANGUAGE_MODEL_UNSUPPORTED:
    "fromLanguageModel was given something that is no language model of the AI SDK, or one of an unknown version.",
  LANGUAGE_MODEL_UNAVAILABLE: "A model was asked for that fromLanguageModel cannot make. Give it resolveModel.",
  MODEL_STREAM_INVALID: "The model client sent something that is no part of a stream.",
  MOD_ID_MISSING: "A mod has no id. The id names it in spans, events and modState.",
  MOD_ID_DUPLICATE: "Two mods have one id. Change one.",
  MOD_INVALID: "A mod has a hook that is no function, or a name that is no mod hook.",
  MCP_SERVER_INVALID: "An MCP server cannot be used as it is described. The message says what to change.",
  MCP_CONNECT_FAILED: "An MCP server could not be started, or did not answer. The message says why.",
  MCP_LIST_FAILED:
    "An MCP server said that its tools changed and did not list them. Those it listed before are used on; its next word is heard.",
  MCP_TOOL_SKIPPED: "A tool that an MCP server added or changed cannot be used, and is left out. The message says why.",
  MOD_LOAD_FAILED: "A mod's file cannot be loaded. The message says why; the other mods are not affected.",
  MOD_REQUIRED_FAILED: "A mod that the configuration requires is not loaded, so nothing starts. The message says why.",
  MOD_EXEC_FAILED: "A program that a mod wanted to run could not be started. The message says why.",
  TRUST_FILE_INVALID:
    "The list of trusted workspaces cannot be read. It is left as it is, and no workspace is trusted.",
  TRUST_FILE_NOT_WRITABLE:
    "A workspace cannot be added to the list of trusted ones. The message says why; the list is as it was.",
  MOD_STATE_INVALID: "A value for modState cannot be written as JSON. The message says where.",
  PLUGIN_INVALID: "A plugin has no name, or no register function, or its register function failed.",
  POLICY_RULE_INVALID: "A rule of the approval policy cannot be used. The message names it.",
  HERMES_CALLBACK_INVALID: "A Hermes callback is no function, or its hook name is unknown.",
  PATH_OUTSIDE_WORKSPACE:
    "A tool was given a path outside its working directory, directly, by `..` or by a symbolic link.",
  TOOL_FILE_UNREADABLE: "A file cannot be read or written. The message says why.",
  TOOL_INPUT_INVALID:
    "A tool's input fits its schema and cannot be used all the same. The message says what to change.",
  TOOL_COMMAND_FAILED: "A shell command could not be started. The message says why.",
  SESSION_NOT_FOUND: "There is no such session. The message says where it was looked for.",
  SESSION_EXISTS: "There is a session of that id already. Open it, or take another id.",
  SESSION_ID_INVALID: "An id cannot name a session. The message says why.",
  SESSION_LOCKED: "Another process, or another part of this one, has the session open. The message says which.",
  SESSION_BUSY: "A turn of the session is under way; a session has one at a time.",
  SESSION_FILE_INVALID:
    "What is there is no session that can be read: empty, damaged, or another program's. It is left as it is.",
  SESSION_VERSION_NEWER: "The session was written by a newer version. It is left as it is.",
  SESSION_NOT_WRITABLE:
    "The session cannot be written: no permission, no space, or opened for reading. Nothing of the commit is in it.",
  SESSION_ENTRY_UNKNOWN: "The session has no entry of that id.",
  SESSION_ENTRY_INVALID:
    "Something to be recorded in a session cannot be written as JSON, or is no message. The message says where.",
  SESSION_MISMATCH: "A state of one session was given to another. Leave the state out to resume the session.",
  SESSION_CLOSED: "The session was closed; open it again.",
  APPROVER_NO_TERMINAL:
    "A terminal approver was given streams that are no terminal. Leave the approver out: questions are then answered `unavailable`.",
};

export type HarnessErrorCode =
  | "HARNESS_OPTION_INVALID"
  | "HARNESS_CLOSED"
  | "MESSAGES_INVALID"
  | "TOOL_INVALID"
  | "TOOL_NAME_DUPLICATE"
  | "TOOL_SCHEMA_INVALID"
  | "EVENT_LISTENER_INVALID"
  | "MODEL_STREAM_INCOMPLETE"
  | "MODEL_CALL_FAILED"
  | "LANGUAGE_MODEL_UNSUPPORTED"
  | "LANGUAGE_MODEL_UNAVAILABLE"
  | "MODEL_STREAM_INVALID"
  | "MOD_ID_MISSING"
  | "MOD_ID_DUPLICATE"
  | "MOD_INVALID"
  | "MCP_SERVER_INVALID"
  | "MCP_CONNECT_FAILED"
  | "MCP_LIST_FAILED"
  | "MCP_TOOL_SKIPPED"
  | "MOD_LOAD_FAILED"
  | "MOD_REQUIRED_FAILED"
  | "MOD_EXEC_FAILED"
  | "TRUST_FILE_INVALID"
  | "TRUST_FILE_NOT_WRITABLE"
  | "MOD_STATE_INVALID"
  | "PLUGIN_INVALID"
  | "POLICY_RULE_INVALID"
  | "HERMES_CALLBACK_INVALID"
  | "PATH_OUTSIDE_WORKSPACE"
  | "TOOL_FILE_UNREADABLE"
  | "TOOL_INPUT_INVALID"
  | "TOOL_COMMAND_FAILED"
  | "SESSION_NOT_FOUND"
  | "SESSION_EXISTS"
  | "SESSION_ID_INVALID"
  | "SESSION_LOCKED"
  | "SESSION_BUSY"
  | "SESSION_FILE_INVALID"
  | "SESSION_VERSION_NEWER"
  | "SESSION_NOT_WRITABLE"
  | "SESSION_ENTRY_UNKNOWN"
  | "SESSION_ENTRY_INVALID"
  | "SESSION_MISMATCH"
  | "SESSION_CLOSED"
  | "APPROVER_NO_TERMINAL";

/** Thrown where the harness is set up or misused; what happens inside a turn becomes an outcome of the turn. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
