import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

import type { TurnDocument } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { startChatServer, streamReply } from "../fixtures/chat-server.ts";
import { COMMAND, environmentOf, finished, runCommand, withHome } from "../fixtures/command.ts";

test("run prints the reply, then the turn's timeline", async () => {
  const server = await startChatServer((_request, response) => streamReply(response, ["It adds ", "up a ledger."]));
  await withHome(async (home) => {
    const args = ["run", "What is this?", "--model", "local:small", "--base-url", server.url, "--session", "s-1"];
    const { exitCode, output, errors } = await runCommand(args, home);
    expect(exitCode).toBe(0);
    expect(errors).toBe(
      'hookscope: the price of model "small" of provider "local" is not known: its tokens are counted, but the cost and the budgets leave them out. Give it one in hookscope.toml: [metrics.prices."local/small"] with input_mtok and output_mtok, in US dollars for a million tokens; 0 where it is free.\n',
    );
    const lines = output.split("\n");
    expect(lines.slice(0, 2)).toEqual(["It adds up a ledger.", ""]);
    expect(lines[2]).toMatch(/^Turn of hookscope: end_turn in .+ trace [0-9a-f]{32}$/);
    expect(output).toContain("1 call, 12 tokens in, 5 out");
    const recorded = await runCommand(["timeline", "--json", "--session", "s-1"], home);
    expect((JSON.parse(recorded.output) as TurnDocument).spans.map(({ name }) => name)).toEqual([
      "message terminal",
      "invoke_agent hookscope",
      "chat small",
      "post_api_request cost",
    ]);
  });
  await server.close();
});

test("run ends with 1 where the model cannot be used, and says why", async () => {
  const server = await startChatServer((_request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "no such key", type: "auth", code: null } }));
  });
  await withHome(async (home) => {
    const args = ["run", "What is this?", "--model", "local:small", "--base-url", server.url];
    const { exitCode, output, errors } = await runCommand(args, home);
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^hookscope: the turn failed: .*no such key/);
    expect(output).toMatch(/^Turn of hookscope: FAILED in /);
  });
  await server.close();
});

test("each wait for a provider is said as it begins, and --json stays one document", async () => {
  await withHome(async (home) => {
    // The first wait is soon over; in the second, which would last an hour, the turn is interrupted.
    const waits = ["0", "3600"];
    const server = await startChatServer((_request, response) => {
      response.writeHead(503, { "content-type": "application/json", "retry-after": waits.shift() });
      response.end(JSON.stringify({ error: { message: "come back later", type: "overloaded", code: null } }));
    });
    const [node = "", ...rest] = COMMAND;
    const args = ["run", "What is this?", "--json", "--model", "local:small", "--base-url", server.url];
    const child = spawn(node, [...rest, ...args], { env: environmentOf(home), stdio: ["ignore", "pipe", "pipe"] });
    const ended = finished(child);
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    const said = [(await lines.next()).value, (await lines.next()).value];
    child.kill("SIGINT");
    const { exitCode, output } = await ended;
    expect(exitCode).toBe(130);
    expect(said).toEqual([
      "hookscope: model call failed: come back later. Try 2 follows in 0 ms.",
      "hookscope: model call failed: come back later. Try 3 follows in 1h 00m.",
    ]);
    expect((JSON.parse(output) as TurnDocument).turn.outcome).toBe("interrupted");
    await server.close();
  });
});

test("SIGINT ends the turn properly, and run with 130", async () => {
  await withHome(async (home) => {
    const asked = Promise.withResolvers<void>();
    // Answers nothing: the turn waits for the model.
    const server = await startChatServer(() => asked.resolve());
    const [node = "", ...rest] = COMMAND;
    const args = ["run", "What is this?", "--model", "local:small", "--base-url", server.url];
    const child = spawn(node, [...rest, ...args], { env: environmentOf(home), stdio: ["ignore", "pipe", "pipe"] });
    const ended = finished(child);
    await Promise.race([asked.promise, ended]);
    child.kill("SIGINT");
    const { exitCode, output } = await ended;
    expect(exitCode).toBe(130);
    expect(output).toMatch(/^Turn of hookscope: STOPPED in /);
    await server.close();
  });
});

test("with an endpoint the spans arrive there, and the trace's id is said", async () => {
  const received: string[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(`${request.url} ${Buffer.concat(chunks).toString()}`);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  const listening = Promise.withResolvers<void>();
  collector.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = collector.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  await withHome(async (home) => {
    const { output } = await runCommand(["demo"], home, {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      HOOKSCOPE_JAEGER_URL: "http://127.0.0.1:16686/",
    });
    const trace = /^Sent to (\S+): trace ([0-9a-f]{32})\n(.+)$/m.exec(output);
    expect(trace?.slice(1)).toEqual([
      `${endpoint}/v1/traces`,
      trace?.[2],
      `http://127.0.0.1:16686/trace/${trace?.[2]}`,
    ]);
    expect(received.every((body) => body.startsWith("/v1/traces "))).toBe(true);
    expect(received.join("")).toContain(String(trace?.[2]));
  });
  const closed = Promise.withResolvers<void>();
  collector.closeAllConnections();
  collector.close(() => closed.resolve());
  await closed.promise;
});
