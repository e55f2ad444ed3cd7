export { createApprovalPolicy, DEFAULT_APPROVAL_RULES, type ApprovalPolicyOptions } from "./approval-policy.ts";
export type { ApprovalRule } from "./approval-rule.ts";
export type { ApprovalAnswer, Approver } from "./approver.ts";
export { createCompactionMod } from "./compaction/compaction-mod.ts";
export type { CompactionOptions } from "./compaction/options.ts";
export type { ContinuationOptions } from "./continuation.ts";
export { HARNESS_ERRORS, HarnessError, type HarnessErrorCode } from "./errors.ts";
export { AGENT_EVENT_TYPES, AGENT_EVENTS, type EventRow } from "./event-catalogue.ts";
export { createEventBus, type AgentEventListener, type EventBus, type EventBusOptions } from "./event-bus.ts";
export type {
  AgentEvent,
  AgentEventOf,
  AgentEvents,
  AgentEventType,
  EventStamp,
  PartialContent,
  UnstampedEvent,
} from "./events.ts";
export { fromHermes, type FromHermesOptions, type HermesCallback, type HermesCallbacks } from "./from-hermes.ts";
export { createHarness, type Harness, type RunRequest } from "./harness.ts";
export type { InboundMessage, Received } from "./inbound.ts";
export {
  text,
  textOf,
  toolCallsOf,
  userMessage,
  type AssistantContent,
  type AssistantMessage,
  type Message,
  type MessageSource,
  type ProviderBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  type UserContent,
  type UserMessage,
} from "./messages.ts";
export { MOD_HOOK_NAMES, MOD_HOOKS } from "./mod-hooks.ts";
export type { CustomEntry, ModSession } from "./mod-session.ts";
export { getModState, setModState } from "./mod-state.ts";
export type {
  AfterToolCallResult,
  AgentMod,
  BeforeToolCallResult,
  ModContext,
  ModHookName,
  ModHooks,
  NextTurn,
  OnStopResult,
  TransformInputResult,
} from "./mods.ts";
export {
  addUsage,
  ModelError,
  NO_USAGE,
  type FinishReason,
  type ModelClient,
  type ModelErrorDetails,
  type ModelRequest,
  type ModelStreamPart,
  type ThinkingEffort,
  type ToolDefinition,
} from "./model.ts";
export type { HarnessOptions, RetryOptions, SystemPrompt } from "./options.ts";
export { createPermissions, type ModePermissions, type PermissionsOptions, type ToolKind } from "./permission-modes.ts";
export type { PermissionAnswer, PermissionMode, PermissionRequest, Permissions } from "./permissions.ts";
export { definePlugin, type Dispose, type Plugin, type PluginContext } from "./plugin.ts";
export type { RunResult, StopReason } from "./run-result.ts";
export type { RecordedSession, SessionBackend, SessionCommit, SessionLog } from "./session/backend.ts";
export type {
  CommitMarker,
  SessionEntries,
  SessionEntry,
  SessionEntryOf,
  SessionEntryType,
  SessionHeader,
  SplicedMessage,
  SubagentOrigin,
} from "./session/entries.ts";
export type { SyncPolicy } from "./session/json-lines/file-log.ts";
export { createJsonLinesSessionStore, type JsonLinesStoreOptions } from "./session/json-lines/store.ts";
export { BUILT_IN_MOD_NAMES } from "./loadable/names.ts";
export { loadMods, type LoadModsOptions, type ModLoadResult } from "./loadable/load-mods.ts";
export { LoadedMods } from "./loadable/loaded-mods.ts";
export type { ModOrigin } from "./loadable/discover.ts";
export type { ExecOptions, ExecResult, ModApi, ModChannel, ModFactory } from "./loadable/mod-api.ts";
export { createWorkspaceTrust, type WorkspaceTrust } from "./loadable/trust.ts";
export {
  createMessageQueue,
  type MessageDelivery,
  type MessageProvider,
  type MessageQueue,
  type ProvidedMessages,
} from "./message-queue.ts";
export { createMemorySessionStore } from "./session/memory-store.ts";
export type {
  ChildRequest,
  CompactionRecord,
  ExportFormat,
  LogGrowth,
  Session,
  SessionStore,
  SessionSummary,
} from "./session/session.ts";
export { createSqliteSessionStore, type SqliteStoreOptions } from "./session/sqlite/store.ts";
export { createSessionStore, type SessionStoreOptions } from "./session/store.ts";
export { createAgentState, type AgentState } from "./state.ts";
export { AGENT_TOOL_NAME, type SubagentDefinition } from "./subagent.ts";
export { createTerminalApprover, type TerminalApproverOptions } from "./terminal-approver.ts";
export { createTitlingMod, titleOf, type TitlingOptions } from "./titling/titling-mod.ts";
export type { ToolSource } from "./tool-source.ts";
export type { Tool, ToolExecution, ToolOutput } from "./tool.ts";
export {
  builtInTools,
  editFileTool,
  listFilesTool,
  readFileTool,
  searchFilesTool,
  shellTool,
  writeFileTool,
  type BuiltInToolOptions,
  type EditFileOptions,
  type ListFilesOptions,
  type ReadFileOptions,
  type SearchFilesOptions,
  type ShellOptions,
} from "./tools/index.ts";
