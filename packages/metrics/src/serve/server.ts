import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIPv6, Server as NetServer } from "node:net";

import type { Once } from "../once.ts";
import { checkServeOptions, isLoopback, type CheckedServeOptions, type ServeOptions } from "./options.ts";
import { listen } from "./listen.ts";
import { hasToken, isAllowedHost } from "./access.ts";
import { Running } from "./running.ts";

export interface MetricsServer {
  /** Where to scrape. */
  readonly url: string;
  readonly port: number;
  /**
   * Scrapes that run are answered, for 5 s at most; further ones are refused. A connection without a scrape holds nothing
   * up. Closing again waits for the same.
   */
  close(): Promise<void>;
}

/** What a scrape is answered with. */
export interface Page {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Serves `GET /metrics` and `GET /healthz`, the same for HEAD without the text, and nothing else.
 *
 * @throws MetricsError METRICS_OPTION_INVALID, METRICS_PORT_IN_USE, METRICS_LISTEN_FAILED
 */
export async function serveMetrics(
  options: ServeOptions,
  page: (accept: string | undefined) => Promise<Page>,
  once: Once,
): Promise<MetricsServer> {
  const checked = checkServeOptions(options);
  let closing = false;
  const running = new Running();
  const server = createServer((request, response) => {
    if (closing) return answer(response, 503, "shutting down\n", { connection: "close" });
    running.add(response);
    void handle(request, response, checked, page, once, () => closing);
  });
  const { address, port } = await listen(server, checked.host, checked.port, (error) =>
    once.warn("server", `the metrics' server failed and goes on: ${error.message}`),
  );
  let closed: Promise<void> | undefined;
  return {
    url: `http://${isIPv6(address) ? `[${address}]` : address}:${port}/metrics`,
    port,
    close() {
      closing = true;
      closed ??= closeServer(server, running);
      return closed;
    },
  };
}

/** A scraper that takes no longer than this to read its answer gets all of it. */
const CLOSE_MS = 5_000;

/** A server of HTTP that closes cuts off answers not read yet, and waits without end for requests that never come. */
async function closeServer(server: Server, running: Running): Promise<void> {
  NetServer.prototype.close.call(server);
  await running.end(CLOSE_MS);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: CheckedServeOptions,
  page: (accept: string | undefined) => Promise<Page>,
  once: Once,
  isClosing: () => boolean,
): Promise<void> {
  const { authorization, host, origin, accept } = request.headers;
  if (isLoopback(options.host) && !isAllowedHost(host)) return answer(response, 403, "this host is not served\n");
  if (origin !== undefined) return answer(response, 403, "pages of the web are not served\n");
  const path = (request.url ?? "").split("?")[0];
  if (path !== "/metrics" && path !== "/healthz") return answer(response, 404, "GET /metrics or /healthz\n");
  if (request.method !== "GET" && request.method !== "HEAD") {
    return answer(response, 405, "GET and HEAD only\n", { allow: "GET, HEAD" });
  }
  if (path === "/healthz") return answer(response, 200, "ok\n");
  if (options.token !== undefined && !hasToken(authorization, options.token)) {
    return answer(response, 401, "a bearer token is needed\n", { "www-authenticate": "Bearer" });
  }
  try {
    const { contentType, text } = await page(accept);
    // A connection kept alive would hold the server open until it times out.
    if (isClosing()) response.setHeader("connection", "close");
    answer(response, 200, text, { "content-type": contentType });
  } catch (error) {
    once.warn("scrape", `a scrape failed: ${String(error)}`);
    answer(response, 500, "the metrics cannot be read; the log says why\n");
  }
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(text);
}
