export { readUserHooks, USER_HOOK_EVENTS } from "./config.ts";
export type { CommandHook, ConfiguredCommand, HookMatcher, UserHookEvent, UserHooksConfig } from "./config.ts";
export { COMMAND_HOOK_ERRORS, CommandHookError, type CommandHookErrorCode } from "./errors.ts";
export { createUserHooks, type UserHooksOptions } from "./user-hooks.ts";
