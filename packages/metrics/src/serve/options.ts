import { isIPv4 } from "node:net";

import { MetricsError } from "../errors.ts";

export interface ServeOptions {
  /** 9464; 0 lets the system choose. */
  readonly port?: number;
  /** 127.0.0.1. Another address shows the metrics to whoever reaches it: give a token then. */
  readonly host?: string;
  /** Scrapers must send it as a bearer token. */
  readonly token?: string;
}

export interface CheckedServeOptions {
  readonly port: number;
  readonly host: string;
  readonly token: string | undefined;
}

const DEFAULT_PORT = 9464;
const DEFAULT_HOST = "127.0.0.1";

/** @throws MetricsError METRICS_OPTION_INVALID */
export function checkServeOptions({
  port = DEFAULT_PORT,
  host = DEFAULT_HOST,
  token,
}: ServeOptions): CheckedServeOptions {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalid(`port is ${String(port)}; it must be a whole number from 0 to 65535.`);
  }
  if (typeof host !== "string" || host.trim() === "") {
    throw invalid("host is blank; it must be an address, such as 127.0.0.1.");
  }
  if (token !== undefined && (typeof token !== "string" || token.trim() === "")) {
    throw invalid("token is blank, which would let everybody in; leave it out, or give a real one.");
  }
  return { port, host, token };
}

function invalid(problem: string): MetricsError {
  return new MetricsError("METRICS_OPTION_INVALID", problem);
}

/** A name such as 127.0.0.1.example.com begins like an address, and is none. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
