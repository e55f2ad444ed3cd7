import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createRedactor, redactSafely } from "@hookscope/hooks";
import { ROOT_CONTEXT } from "@opentelemetry/api";

import { HarnessError } from "../errors.ts";
import { childEnvironment } from "../tools/child-environment.ts";

/** How a server is reached. */
export type McpTransport =
  /** A child process. It gets of this process's environment only what is no secret, and `env`. */
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  /** Streamable HTTP. */
  | { readonly type: "http"; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** What a server that cannot be reached wrote last, for the error; its secrets taken out. */
const MAX_COMPLAINT_LENGTH = 2_000;

export interface OpenTransport {
  readonly transport: Transport;
  readonly complaint: () => string;
}

/** @throws HarnessError MCP_SERVER_INVALID */
export function openTransport(name: string, described: McpTransport): OpenTransport {
  if (described.type === "http") return { transport: http(name, described), complaint: () => "" };
  const transport = new StdioClientTransport({
    command: described.command,
    args: [...(described.args ?? [])],
    env: { ...childEnvironment(described.env ?? {}, ROOT_CONTEXT) },
    ...(described.cwd === undefined ? {} : { cwd: described.cwd }),
    stderr: "pipe",
  });
  let complaint = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString("utf8")).slice(-MAX_COMPLAINT_LENGTH);
  });
  return { transport, complaint: () => redactSafely(createRedactor(), complaint.trim()) };
}

function http(name: string, { url, headers }: Extract<McpTransport, { type: "http" }>): Transport {
  if (!URL.canParse(url)) {
    throw new HarnessError("MCP_SERVER_INVALID", `MCP server "${name}": "${url}" is no URL.`);
  }
  return new StreamableHTTPClientTransport(new URL(url), headers === undefined ? {} : { requestInit: { headers } });
}
