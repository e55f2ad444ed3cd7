export { mcpTools, type McpServer, type McpServerOptions } from "./mcp-tools.ts";
export type { SkippedTool } from "./server-tools.ts";
export type { McpTransport } from "./transport.ts";
