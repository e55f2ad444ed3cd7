import { Client, type Tool as ServerTool } from "@modelcontextprotocol/client";
import type { JsonObject, Risk } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import { ToolTable } from "../tool-table.ts";
import type { Tool, ToolExecution, ToolOutput } from "../tool.ts";
import { traceHeaders } from "../trace-headers.ts";
import { readResult } from "./content.ts";
import { checkServerName, toolName } from "./names.ts";
import { openTransport, type McpTransport } from "./transport.ts";

export interface McpServerOptions {
  /** Names the tools: `mcp__<name>__<tool>`. */
  readonly name: string;
  readonly transport: McpTransport;
  /** How long the server may take to start and list its tools; 30,000 ms. */
  readonly connectTimeoutMs?: number;
  /** How long a call may take without progress; 60,000 ms. */
  readonly timeoutMs?: number;
  /** Of every tool of the server; what a server says of itself is not believed. Default `unknown`. */
  readonly risk?: Risk;
}

export interface McpServer {
  readonly name: string;
  /** For the harness's option `tools`. */
  readonly tools: readonly Tool[];
  /** Tools of the server that cannot be used, and why. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Ends the connection, and a server that is a child process with it. */
  close(): Promise<void>;
}

/**
 * Connects to an MCP server and makes a tool of each of its own. A call carries the trace it belongs to in `_meta`, and is
 * cancelled with the turn. The tools are those of the moment: a server that changes its list is to be connected anew.
 *
 * @throws HarnessError MCP_SERVER_INVALID, MCP_CONNECT_FAILED
 */
export async function mcpTools(options: McpServerOptions): Promise<McpServer> {
  const { name, connectTimeoutMs = 30_000, timeoutMs = 60_000, risk = "unknown" } = options;
  checkServerName(name);
  const { transport, complaint } = openTransport(name, options.transport);
  const client = new Client({ name: "hookscope", version: "0.0.0" });
  let listed: readonly ServerTool[];
  try {
    await client.connect(transport, { timeout: connectTimeoutMs });
    listed = (await client.listTools(undefined, { timeout: connectTimeoutMs })).tools;
  } catch (error) {
    await client.close().catch(() => undefined);
    const said = complaint() === "" ? "" : ` It wrote: ${complaint()}`;
    const message = error instanceof Error ? error.message : String(error);
    throw new HarnessError("MCP_CONNECT_FAILED", `MCP server "${name}": ${message}.${said}`, { cause: error });
  }
  const { tools, skipped } = makeTools(listed, name, (tool, execution) => callTool(client, tool, execution, timeoutMs));
  return { name, tools: tools.map((tool) => ({ ...tool, risk })), skipped, close: () => client.close() };
}

type Call = (tool: ServerTool, execution: ToolExecution) => Promise<ToolOutput>;

function makeTools(listed: readonly ServerTool[], server: string, call: Call): Pick<McpServer, "tools" | "skipped"> {
  const table = new ToolTable();
  const skipped: { name: string; reason: string }[] = [];
  for (const tool of listed) {
    const name = toolName(server, tool.name, new Set(table.names()));
    try {
      table.add({
        name,
        description: tool.description ?? tool.title ?? tool.name,
        inputSchema: tool.inputSchema as JsonObject,
        type: "extension",
        execute: (execution) => call(tool, execution),
      });
    } catch (error) {
      skipped.push({ name: tool.name, reason: (error as HarnessError).message });
    }
  }
  return { tools: [...table.all()], skipped };
}

async function callTool(
  client: Client,
  tool: ServerTool,
  execution: ToolExecution,
  timeoutMs: number,
): Promise<ToolOutput> {
  const { input, parent, signal } = execution;
  const result = await client.callTool(
    { name: tool.name, arguments: input, _meta: { ...traceHeaders(parent) } },
    {
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      signal,
      onprogress: ({ progress, total, message }) =>
        execution.onUpdate(message ?? (total === undefined ? String(progress) : `${progress}/${total}`)),
    },
  );
  return readResult(result);
}
