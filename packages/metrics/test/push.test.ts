import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";

import { linesOf, rig, toolCall } from "./support.ts";

/*
 * A Pushgateway is a program of its own that no package brings; these tests stand a real HTTP server in its place and
 * check what arrives there.
 */

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function gateway(answer: (request: IncomingMessage, body: string) => number | undefined): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const status = answer(request, body);
      if (status !== undefined) response.writeHead(status).end(status === 200 ? "" : "not today");
    });
  });
  return listening(server);
}

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a push replaces the metrics of its job and groupings, in plain text", async () => {
  const seen: unknown[] = [];
  const url = await gateway(({ method, url: path }, body) => {
    seen.push(
      method,
      path,
      linesOf(body, ["agent_tool_calls_total"]),
      body.includes("# TYPE agent_tool_calls_total counter"),
    );
    return 200;
  });
  const { metrics, fire } = rig();
  await fire("post_tool_call", toolCall());
  await metrics.push({ gateway: url, job: "night/ly", groupings: { instance: "one" } });
  expect(seen).toEqual([
    "PUT",
    "/metrics/job/night%2Fly/instance/one",
    ['agent_tool_calls_total{tool="shell",agent="reviewer",outcome="completed"} 1'],
    true,
  ]);
});

test("a push that is refused, is a coded error without the address's secrets", async () => {
  const url = await gateway(() => 503);
  const { metrics } = rig();
  const { host } = new URL(url);
  await expect(metrics.push({ gateway: `http://user:s3cret@${host}` })).rejects.toThrow(
    `METRICS_PUSH_FAILED: the metrics were not pushed to http://${host}: push failed with status 503, not today.`,
  );
});

test.for(["nonsense", "", "127.0.0.1:9091", "file:///metrics"])(
  "what is no address of a Pushgateway is refused, and nothing is sent: %j",
  async (address) => {
    await expect(rig().metrics.push({ gateway: address })).rejects.toThrow(
      "METRICS_OPTION_INVALID: gateway must be an address such as http://127.0.0.1:9091.",
    );
  },
);

test.for([0, -1, Number.NaN, Infinity])("a time limit of %s is refused, and nothing is sent", async (timeoutMs) => {
  await expect(rig().metrics.push({ gateway: "http://127.0.0.1:9", timeoutMs })).rejects.toThrow(
    `METRICS_OPTION_INVALID: timeoutMs is ${timeoutMs}; it must be a number of milliseconds above 0, at most 2147483647.`,
  );
});

test("a push whose answer never ends, ends after its time too", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(500, { "content-length": "100" }).write("never all");
  });
  const url = await listening(server);
  await expect(rig().metrics.push({ gateway: url, timeoutMs: 50 })).rejects.toThrow(
    `METRICS_PUSH_FAILED: the metrics were not pushed to ${url}: no answer within 50 ms.`,
  );
});

test("a push that gets no answer ends after its time", async () => {
  const url = await gateway(() => undefined);
  await expect(rig().metrics.push({ gateway: url, timeoutMs: 20 })).rejects.toThrow(
    `METRICS_PUSH_FAILED: the metrics were not pushed to ${url}: no answer within 20 ms.`,
  );
});
