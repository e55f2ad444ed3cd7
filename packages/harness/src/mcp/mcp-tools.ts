import { Client } from "@modelcontextprotocol/client";
import { createSystemClock, type Clock, type Risk } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import type { ToolSource } from "../tool-source.ts";
import type { ToolExecution, ToolOutput } from "../tool.ts";
import { traceHeaders } from "../trace-headers.ts";
import { readResult } from "./content.ts";
import { checkServerName } from "./names.ts";
import { Pace } from "./pace.ts";
import { ServerTools, type ListChange, type SkippedTool } from "./server-tools.ts";
import { openTransport, type McpTransport } from "./transport.ts";

export interface McpServerOptions {
  /** Names the tools: `mcp__<name>__<tool>`. */
  readonly name: string;
  readonly transport: McpTransport;
  /** How long the server may take to start, and to list its tools; 30,000 ms. */
  readonly connectTimeoutMs?: number;
  /** How long a call may take without progress; 60,000 ms. */
  readonly timeoutMs?: number;
  /** Of every tool of the server; what a server says of itself is not believed. Default `unknown`. */
  readonly risk?: Risk;
  readonly clock?: Pick<Clock, "setTimer">;
}

/**
 * A server that is connected. As one of the harness's `toolSources` its tools come and go as the server says; its `tools`
 * alone, in the harness's option `tools`, are those of the moment.
 */
export interface McpServer extends ToolSource {
  /** Tools of the server that cannot be used, and why. */
  readonly skipped: readonly SkippedTool[];
  /** Ends the connection, and a server that is a child process with it. */
  close(): Promise<void>;
}

/** A server that says all the time that its tools changed is asked for them this often at most. */
const LISTING_INTERVAL_MS = 1_000;

/**
 * Connects to an MCP server and makes a tool of each of its own. A call carries the trace it belongs to in `_meta`, and is
 * cancelled with the turn. Where the server says that its tools changed, they are listed anew, at most once a second.
 *
 * @throws HarnessError MCP_SERVER_INVALID, MCP_CONNECT_FAILED
 */
export async function mcpTools(options: McpServerOptions): Promise<McpServer> {
  const {
    name,
    connectTimeoutMs = 30_000,
    timeoutMs = 60_000,
    risk = "unknown",
    clock = createSystemClock(),
  } = options;
  checkServerName(name);
  const { transport, complaint } = openTransport(name, options.transport);
  const pace = new Pace(relist, LISTING_INTERVAL_MS, clock);
  const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => pace.request() } };
  const client = new Client({ name: "hookscope", version: "0.0.0" }, { listChanged });
  const call = (tool: string, execution: ToolExecution): Promise<ToolOutput> =>
    callTool(client, tool, execution, timeoutMs);
  const served = new ServerTools({ server: name, risk, call });
  let listeners: readonly ToolsListener[] = [];
  const server: McpServer = {
    name,
    get tools() {
      return served.tools;
    },
    get skipped() {
      return served.skipped;
    },
    onToolsChange(listener) {
      const own: ToolsListener = (problem) => listener(problem);
      listeners = [...listeners, own];
      return () => {
        listeners = listeners.filter((other) => other !== own);
      };
    },
    async close() {
      pace.stop();
      await client.close();
    },
  };
  try {
    await client.connect(transport, { timeout: connectTimeoutMs });
    await list();
  } catch (error) {
    await server.close().catch(() => undefined);
    const said = complaint() === "" ? "" : ` It wrote: ${complaint()}`;
    throw new HarnessError("MCP_CONNECT_FAILED", `MCP server "${name}": ${messageOf(error)}.${said}`, { cause: error });
  }
  pace.begin();
  return server;

  async function list(): Promise<ListChange> {
    const { tools } = await client.listTools(undefined, { timeout: connectTimeoutMs, cacheMode: "refresh" });
    return served.update(tools);
  }

  async function relist(): Promise<void> {
    try {
      const { isDifferent, newlySkipped } = await list();
      if (isDifferent) tellAll();
      if (newlySkipped.length > 0) tellAll(leftOut(name, newlySkipped));
    } catch (error) {
      const what = `MCP server "${name}" said that its tools changed, and they cannot be listed: ${messageOf(error)}.`;
      tellAll(new HarnessError("MCP_LIST_FAILED", what, { cause: error }));
    }
  }

  function tellAll(problem?: HarnessError): void {
    if (pace.isStopped) return;
    for (const listener of listeners) tell(listener, problem);
  }
}

/** How many of the tools that are left out an error names. */
const MAX_NAMED = 3;

function leftOut(server: string, skipped: readonly SkippedTool[]): HarnessError {
  const reasons = skipped.slice(0, MAX_NAMED).map(({ name, reason }) => `${JSON.stringify(name)}, since ${reason}`);
  const more = skipped.length > MAX_NAMED ? ` And ${skipped.length - MAX_NAMED} more.` : "";
  return new HarnessError(
    "MCP_TOOL_SKIPPED",
    `MCP server "${server}": left out is ${reasons.join(" Left out is ")}${more}`,
  );
}

type ToolsListener = Parameters<ToolSource["onToolsChange"]>[0];

/** One that throws keeps neither the others from being told nor the server from being listened to. */
function tell(listener: ToolsListener, problem: Error | undefined): void {
  try {
    listener(problem);
  } catch (error) {
    process.emitWarning(`a listener of onToolsChange threw: ${messageOf(error)}`, "HookscopeMcpWarning");
  }
}

async function callTool(
  client: Client,
  tool: string,
  execution: ToolExecution,
  timeoutMs: number,
): Promise<ToolOutput> {
  const { input, parent, signal } = execution;
  const result = await client.callTool(
    { name: tool, arguments: input, _meta: { ...traceHeaders(parent) } },
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
