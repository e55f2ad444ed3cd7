import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

import { callTools, reply } from "@hookscope/testing";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";

import { mcpTools } from "../../src/mcp/index.ts";
import { createRig } from "../support/rig.ts";

/** A server of the official SDK behind a real socket; each request has a server of its own, as without sessions. */
async function startServer(authorized: string[]): Promise<{ readonly url: string; close(): Promise<void> }> {
  const http = createServer(async (request, response) => {
    authorized.push(String(request.headers["authorization"]));
    const server = new McpServer({ name: "web", version: "1.0.0" });
    server.registerTool("ping", { description: "Pings." }, () => ({ content: [{ type: "text", text: "pong" }] }));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const answer = await transport.handleRequest(toRequest(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else Readable.fromWeb(answer.body as ReadableStream).pipe(response);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
}

function toRequest(request: IncomingMessage): Request {
  const body = request.method === "POST" ? (Readable.toWeb(request) as ReadableStream) : undefined;
  return new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? "GET",
    headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ...(body === undefined ? {} : { body: body as never, duplex: "half" }),
  });
}

test("a server over Streamable HTTP: its headers go with each request, its tools run", async () => {
  const authorized: string[] = [];
  const web = await startServer(authorized);
  try {
    const transport = { type: "http", url: web.url, headers: { authorization: "Bearer one" } } as const;
    const server = await mcpTools({ name: "web", transport });
    const rig = createRig({
      watchMods: false,
      watch: ["api_request_error"],
      tools: server.tools,
      steps: [callTools([{ name: "mcp__web__ping", input: {} }]), reply("ok")],
    });
    await rig.run();
    await server.close();
    expect(rig.events.flatMap((event) => (event.type === "tool_completed" ? [event.result] : []))).toEqual(["pong"]);
    expect(new Set(authorized)).toEqual(new Set(["Bearer one"]));
  } finally {
    await web.close();
  }
});
