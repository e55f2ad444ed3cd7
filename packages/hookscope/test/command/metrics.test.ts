import { spawn } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";

import { expect, test } from "vitest";

import { startChatServer, streamReply } from "../fixtures/chat-server.ts";
import { COMMAND, environmentOf, finished, runCommand, withHome } from "../fixtures/command.ts";
import { inWorkspace } from "../fixtures/workspace.ts";

interface Running {
  readonly child: ReturnType<typeof spawn>;
  readonly ended: ReturnType<typeof finished>;
  /** The next line of the output. */
  line(): Promise<string>;
  /** Where the metrics are served, as the command says. */
  readonly url: Promise<string>;
}

function start(home: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  const [node = "", ...rest] = COMMAND;
  const child = spawn(node, [...rest, ...args], {
    env: environmentOf(home, environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = finished(child);
  const url = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    const [, found] = /^Metrics: (\S+)$/.exec(line) ?? [];
    if (found !== undefined) url.resolve(found);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  void ended.then(({ errors }) => url.reject(new Error(`it ended: ${errors}`)), url.reject);
  url.promise.catch(() => undefined);
  return { child, ended, url: url.promise, line: async () => String((await lines.next()).value) };
}

async function scrape(url: string): Promise<string> {
  return (await fetch(url)).text();
}

const sum = (text: string, series: RegExp): number =>
  text
    .split("\n")
    .filter((line) => series.test(line))
    .reduce((total, line) => total + Number(line.split(" ")[1]), 0);

test("demo --loop serves metrics of turn after turn, and SIGTERM ends it properly", async () => {
  await withHome(async (home) => {
    const running = start(home, ["demo", "--loop", "--json", "--every", "0", "--seed", "7", "--metrics-port", "0"]);
    const url = await running.url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const turns = [JSON.parse(await running.line()), JSON.parse(await running.line())] as readonly {
      readonly seed: number;
      readonly turnId: string;
      readonly outcome: string;
    }[];
    expect(turns.map(({ seed }) => seed)).toEqual([7, 8]);
    const text = await scrape(url);
    expect(sum(text, /^agent_turns_total\{.*subagent="false"/)).toBeGreaterThanOrEqual(2);
    expect(sum(text, /^agent_cost_usd_total\{/)).toBeGreaterThan(0);
    expect(text).toMatch(/^agent_tool_calls_blocked_total\{.*hook="danger_guard"/m);
    running.child.kill("SIGTERM");
    await running.ended;
    expect(running.child.signalCode).toBe("SIGTERM");
    expect((await readdir(home)).filter((name) => name.startsWith("hookscope-demo-"))).toEqual([]);
    const listed = JSON.parse((await runCommand(["timeline", "--list", "--json"], home)).output) as readonly {
      readonly turnId: string;
      readonly outcome?: string;
    }[];
    const outcomes = new Map(listed.map(({ turnId, outcome }) => [turnId, outcome]));
    expect(turns.map(({ turnId }) => outcomes.get(turnId))).toEqual(turns.map(({ outcome }) => outcome));
    expect(listed.every(({ outcome }) => outcome !== undefined)).toBe(true);
  });
});

test("an interrupt ends the loop, even while it waits for the next turn", async () => {
  await withHome(async (home) => {
    const running = start(home, ["demo", "--loop", "--every", "86400"]);
    expect(await running.line()).toMatch(/^seed 1 {2}[\d.]+ m?s {2}\w+ {2}[0-9a-f-]{36}$/);
    running.child.kill("SIGINT");
    expect((await running.ended).exitCode).toBe(130);
  });
});

// A Pushgateway is a program of its own that no package brings; a real HTTP server stands in its place.
test("run --metrics-push leaves the turn's metrics at a Pushgateway when it ends", async () => {
  await inWorkspace(async ({ home }) => {
    const pushes: { readonly method: string | undefined; readonly path: string | undefined; readonly text: string }[] =
      [];
    const gateway = createHttpServer((request, response) => {
      let text = "";
      request.setEncoding("utf8");
      request.on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        pushes.push({ method: request.method, path: request.url, text });
        response.end();
      });
    });
    await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const model = await startChatServer((_request, response) => streamReply(response, ["hello"]));
    const args = ["--model", "local:small", "--base-url", model.url, "--no-session", "--metrics-push", address];
    expect((await runCommand(["run", "hello", ...args], home)).exitCode).toBe(0);
    expect(pushes.map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT /metrics/job/hookscope"]);
    expect(pushes[0]?.text).toMatch(/^agent_turns_total\{.*outcome="end_turn".*\} 1$/m);
    gateway.close();
    await model.close();
  });
});

test("a Pushgateway that is away is said in one line and fails no turn", async () => {
  await inWorkspace(async ({ home }) => {
    const model = await startChatServer((_request, response) => streamReply(response, ["hello"]));
    const args = ["--model", "local:small", "--base-url", model.url, "--no-session"];
    const { exitCode, errors } = await runCommand(
      ["run", "hello", ...args, "--metrics-push", "http://127.0.0.1:1"],
      home,
    );
    expect(exitCode).toBe(0);
    expect(errors).toMatch(
      /^hookscope: METRICS_PUSH_FAILED: the metrics were not pushed to http:\/\/127\.0\.0\.1:1[^\n]*$/m,
    );
    await model.close();
  });
});

test("run --metrics-port serves metrics while the turn runs, failed mods among them", async () => {
  await inWorkspace(async ({ write, directory, home }) => {
    await write({ "guard.mjs": "export default 3;" });
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const model = await startChatServer((_request, response) => {
      asked.resolve();
      void answer.promise.then(() => streamReply(response, ["hello"]));
    });
    const args = ["--model", "local:small", "--base-url", model.url, "--metrics-port", "0"];
    const running = start(home, ["run", "hello", ...args, "--mod", `${directory}/guard.mjs`, "--no-session"]);
    const url = await running.url;
    await asked.promise;
    const text = await scrape(url);
    expect(text).toMatch(/^agent_mod_load_failures_total\{mod="guard"\} 1$/m);
    expect(text).toMatch(/^agent_turns_in_flight 1$/m);
    answer.resolve();
    expect((await running.ended).exitCode).toBe(0);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    await model.close();
  });
});

test("with HOOKSCOPE_METRICS_TOKEN only who has it may scrape", async () => {
  await withHome(async (home) => {
    const args = ["demo", "--loop", "--every", "86400", "--metrics-port", "0"];
    const running = start(home, args, { HOOKSCOPE_METRICS_TOKEN: "let-me-in" });
    const url = await running.url;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: "Bearer let-me-in" } })).status).toBe(200);
    running.child.kill("SIGINT");
    await running.ended;
  });
});

test("a port that is in use is refused where a flag asks for it, and said where the file does; the flag wins", async () => {
  await inWorkspace(async ({ write, home, directory }) => {
    const taken = createServer();
    const listening = Promise.withResolvers<void>();
    taken.listen(0, "127.0.0.1", () => listening.resolve());
    await listening.promise;
    const { port } = taken.address() as AddressInfo;
    await write({ "my.toml": `[metrics]\nport = ${port}\n` });
    const config = ["--config", `${directory}/my.toml`];
    const beside = await runCommand(["demo", "--json", ...config], home);
    expect(beside.exitCode).toBe(0);
    expect(beside.errors).toMatch(/^hookscope: METRICS_PORT_IN_USE: [^\n]+ This command's metrics are not served\.\n/);
    const refused = await runCommand(["demo", "--json", "--metrics-port", String(port)], home);
    expect([refused.exitCode, refused.output]).toEqual([1, ""]);
    expect(refused.errors).toMatch(/^hookscope: METRICS_PORT_IN_USE: [^\n]+\n$/);
    const served = await runCommand(["demo", "--json", ...config, "--metrics-port", "0"], home);
    expect(served.exitCode).toBe(0);
    taken.close();
  });
});
