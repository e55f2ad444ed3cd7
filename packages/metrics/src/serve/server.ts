import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isIPv6 } from "node:net";

import type { Once } from "../once.ts";
import { checkServeOptions, isLoopback, type CheckedServeOptions, type ServeOptions } from "./options.ts";
import { listen } from "./listen.ts";
import { hasToken, isAllowedHost } from "./access.ts";

export interface MetricsServer {
  /** Where to scrape. */
  readonly url: string;
  readonly port: number;
  /** Scrapes that run are answered; further ones are refused. Closing again waits for the same. */
  close(): Promise<void>;
}

/** What a scrape is answered with. */
export interface Page {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Serves `GET /metrics` and `GET /healthz`, and nothing else.
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
  const server = createServer((request, response) => {
    if (closing) return answer(response, 503, "shutting down\n", { connection: "close" });
    void handle(request, response, checked, page, once, () => closing);
  });
  const { address, port } = await listen(server, checked.host, checked.port);
  let closed: Promise<void> | undefined;
  return {
    url: `http://${isIPv6(address) ? `[${address}]` : address}:${port}/metrics`,
    port,
    close() {
      closing = true;
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      return closed;
    },
  };
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
  if (request.method !== "GET") return answer(response, 405, "GET only\n", { allow: "GET" });
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
