import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { Gauge } from "prom-client";

import type { Metrics, ServeOptions } from "../src/index.ts";
import { listen } from "../src/serve/listen.ts";
import { linesOf, rig, toolCall, type Rig } from "./support.ts";

const started: Metrics[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((metrics) => metrics.close()));
});

async function serving(options: ServeOptions = {}): Promise<Rig & { readonly url: string; readonly origin: string }> {
  const parts = rig();
  started.push(parts.metrics);
  const { url } = await parts.metrics.serve({ port: 0, ...options });
  return { ...parts, url, origin: new URL(url).origin };
}

test("a scrape that takes OpenMetrics gets it, another one gets plain text", async () => {
  const { url, fire } = await serving();
  await fire("post_tool_call", toolCall());
  const open = await fetch(url, { headers: { accept: "application/openmetrics-text;version=1.0.0" } });
  expect(open.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect((await open.text()).endsWith("# EOF\n")).toBe(true);
  const plain = await fetch(url);
  expect(plain.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(linesOf(await plain.text(), ["agent_tool_calls_total"])).toEqual([
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="completed"} 1',
  ]);
});

test("it listens on loopback, and answers GET /metrics and /healthz and nothing else", async () => {
  const { url, origin } = await serving();
  expect(new URL(url).hostname).toBe("127.0.0.1");
  const answers: (readonly [string, number, string])[] = [];
  for (const [method, path] of [
    ["GET", "/healthz"],
    ["GET", "/metrics?x=1"],
    ["GET", "/"],
    ["GET", "/metrics/more"],
    ["HEAD", "/healthz"],
    ["HEAD", "/metrics"],
    ["OPTIONS", "/metrics"],
    ["POST", "/metrics"],
    ["DELETE", "/healthz"],
  ] as const) {
    const response = await fetch(`${origin}${path}`, { method });
    const text = path.startsWith("/metrics?") ? "" : await response.text();
    answers.push([`${method} ${path}`, response.status, text]);
  }
  expect(answers).toEqual([
    ["GET /healthz", 200, "ok\n"],
    ["GET /metrics?x=1", 200, ""],
    ["GET /", 404, "GET /metrics or /healthz\n"],
    ["GET /metrics/more", 404, "GET /metrics or /healthz\n"],
    ["HEAD /healthz", 200, ""],
    ["HEAD /metrics", 200, ""],
    ["OPTIONS /metrics", 405, "GET and HEAD only\n"],
    ["POST /metrics", 405, "GET and HEAD only\n"],
    ["DELETE /healthz", 405, "GET and HEAD only\n"],
  ]);
});

test("with a token only a scrape that sends it is answered; health needs none", async () => {
  const { url, origin } = await serving({ token: "s3cret" });
  const status = async (authorization?: string): Promise<number> =>
    (await fetch(url, authorization === undefined ? {} : { headers: { authorization } })).status;
  expect([await status(), await status("Bearer wrong"), await status("Bearer s3cret"), await status("s3cret")]).toEqual(
    [401, 401, 200, 401],
  );
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
});

test("a page of the web gets nothing: neither by its own origin nor by a name that points here", async () => {
  const { url, origin } = await serving();
  expect((await fetch(url, { headers: { origin: "https://example.com" } })).status).toBe(403);
  const { port } = new URL(url);
  expect(await statusWithHost(Number(port), "attacker.example:80")).toBe(403);
  expect(await statusWithHost(Number(port), "127.attacker.example")).toBe(403);
  expect(await statusWithHost(Number(port), "127.0.0.1.attacker.example:80")).toBe(403);
  expect(await statusWithHost(Number(port), `localhost:${port}`)).toBe(200);
  expect(await statusWithHost(Number(port), `LocalHost:${port}`)).toBe(200);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
});

test("a port in use is a coded error that names it", async () => {
  const other: Server = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  await expect(rig().metrics.serve({ port })).rejects.toThrow(
    expect.objectContaining({
      code: "METRICS_PORT_IN_USE",
      message: `METRICS_PORT_IN_USE: port ${port} of 127.0.0.1 is in use, so metrics cannot be served there. Choose another port, or stop what uses it.`,
    }),
  );
  await new Promise((resolve) => other.close(resolve));
});

test("what fails once it listens is told, and does not end the process", async () => {
  const failures: string[] = [];
  const server = createServer();
  await listen(server, "127.0.0.1", 0, (error) => failures.push(error.message));
  // What Node emits where accept(2) fails; to have it fail for real would take every file this process may open.
  server.emit("error", new Error("accept EMFILE"));
  expect(failures).toEqual(["accept EMFILE"]);
  await new Promise((resolve) => server.close(resolve));
});

test("an address of another machine is a coded error that names it", async () => {
  await expect(rig().metrics.serve({ port: 0, host: "192.0.2.1" })).rejects.toThrow(
    expect.objectContaining({ code: "METRICS_LISTEN_FAILED" }),
  );
});

const MISTAKES: readonly (readonly [options: object, message: string])[] = [
  [{ port: 70_000 }, "port is 70000; it must be a whole number from 0 to 65535."],
  [{ port: "9464" }, "port is 9464; it must be a whole number from 0 to 65535."],
  [{ host: " " }, "host is blank; it must be an address, such as 127.0.0.1."],
  [{ token: "" }, "token is blank, which would let everybody in; leave it out, or give a real one."],
];

test.for(MISTAKES)("an option that cannot be used is refused: %j", async ([options, message]) => {
  await expect(rig().metrics.serve({ port: 0, ...options })).rejects.toThrow(`METRICS_OPTION_INVALID: ${message}`);
});

test("a scrape that runs when the server closes is answered whole; the next one is refused", async () => {
  const { metrics, url } = await serving();
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  new Gauge({
    name: "slow",
    help: "Slow.",
    registers: [metrics.registry as never],
    async collect() {
      entered.resolve();
      await leave.promise;
      this.set(7);
    },
  });
  const scrape = fetch(url);
  await entered.promise;
  const closing = metrics.close();
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  leave.resolve();
  const response = await scrape;
  expect([response.status, linesOf(await response.text(), ["slow"])]).toEqual([200, ["slow 7"]]);
  expect(response.headers.get("connection")).toBe("close");
  await closing;
});

test("a scrape that fails is an error for the scraper and a line in the log, and the next one works", async () => {
  const { metrics, url, warnings } = await serving();
  let broken = true;
  new Gauge({
    name: "broken",
    help: "Broken.",
    registers: [metrics.registry as never],
    collect() {
      if (broken) throw new Error("no reading");
    },
  });
  const failed = await fetch(url);
  expect([failed.status, await failed.text()]).toEqual([500, "the metrics cannot be read; the log says why\n"]);
  expect(warnings).toEqual(["a scrape failed: Error: no reading"]);
  broken = false;
  expect((await fetch(url)).status).toBe(200);
});

test("a connection without a whole request does not hold up the end", async () => {
  const { metrics, url } = await serving();
  const [silent, begun] = await Promise.all([connected(url), connected(url)]);
  const answered = once(begun, "data");
  begun.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\nGET /metrics HTTP/1.1\r\nhost: local");
  await answered;
  const ends = [once(silent, "close"), once(begun, "close")];
  await metrics.close();
  expect((await Promise.all(ends)).length).toBe(2);
});

test("who reads slowly when the server closes gets the whole answer; who does not read is not waited for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { metrics, url } = await serving();
  new Gauge({ name: "long", help: "x".repeat(20_000_000), registers: [metrics.registry as never] });
  const [slow, never] = await Promise.all([connected(url), connected(url)]);
  for (const socket of [slow, never]) {
    const begun = once(socket, "readable");
    socket.write("GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    await begun;
  }
  let isClosed = false;
  const closing = metrics.close().then(() => (isClosed = true));
  const text = Buffer.concat(await slow.toArray()).toString();
  expect(text.slice(-LAST_CHUNK.length)).toBe(LAST_CHUNK);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  await closing;
  never.destroy();
});

test("closing twice is closing once", async () => {
  const { metrics, url } = await serving();
  await Promise.all([metrics.close(), metrics.close()]);
  await metrics.close();
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

const LAST_CHUNK = "\r\n0\r\n\r\n";

async function connected(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

function statusWithHost(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", path: "/metrics", headers: { host } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    })
      .on("error", reject)
      .end();
  });
}
