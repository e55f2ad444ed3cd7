import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

export interface WireReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Server-sent events, complete with their blank line. */
  readonly frames?: readonly string[];
  /** A body that is no stream. */
  readonly body?: unknown;
  /** `hold` keeps the connection open until `cut()` or until the client leaves. */
  readonly after?: "end" | "hold";
}

export interface WireRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A real HTTP server on the loopback address that answers each request with the next reply. */
export interface WireServer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** Breaks the connection that is held. */
  cut(): void;
  /** Resolves when the connection of the request in progress is closed, by whichever side. */
  left(): Promise<void>;
}

/** The server ends with the test that started it. */
export async function startWireServer(...replies: readonly WireReply[]): Promise<WireServer> {
  const requests: WireRequest[] = [];
  let current: ServerResponse | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = replies[requests.length] ?? { status: 500, body: "no reply left" };
    requests.push({ path: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    current = response;
    send(response, reply);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    cut: () => current?.destroy(),
    async left() {
      if (current !== undefined && !current.closed) await once(current, "close");
    },
  };
}

/** An address where nobody listens, nor will while the test runs: its port is that of a connection's other end. */
export async function urlOfNobody(): Promise<string> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${socket.localPort}`;
}

function send(response: ServerResponse, reply: WireReply): void {
  const type = reply.frames === undefined ? "application/json" : "text/event-stream";
  response.writeHead(reply.status ?? 200, { "content-type": type, ...reply.headers });
  for (const frame of reply.frames ?? []) response.write(frame);
  if (reply.body !== undefined) response.write(JSON.stringify(reply.body));
  if (reply.after !== "hold") response.end();
}

/** One event as Anthropic sends it: the name is the data's type. */
export function anthropicEvent(data: { readonly type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** One chunk of a chat completion as OpenAI-compatible servers send it. */
export function completionChunk(fields: Record<string, unknown>): string {
  return `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "served-1", ...fields })}\n\n`;
}

export const DONE = "data: [DONE]\n\n";
