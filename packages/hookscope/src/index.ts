export { configurationKeys, type ConfigurationKey } from "./config/keys.ts";
export { COMMAND_ERRORS, type CommandErrorCode } from "./errors.ts";
export type { TimelineDocument, TimelineOptions, TimelineSpan } from "./timeline/document.ts";
export { renderTimeline } from "./timeline/render.ts";
