import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { TurnDocument } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { streamReply, streamToolCall } from "../fixtures/chat-server.ts";
import { inWorkspace, PRICES, type Workspace } from "../fixtures/workspace.ts";

/** A model that calls the shell whenever it is asked by an odd call, and then says it is done. */
function callsShell(command: string): (request: unknown, response: ServerResponse) => void {
  let requests = 0;
  return (_request, response) => {
    requests += 1;
    if (requests % 2 === 1) streamToolCall(response, "shell", { command });
    else streamReply(response, ["done"]);
  };
}

async function lastTurn({ hookscope }: Workspace): Promise<TurnDocument> {
  return JSON.parse((await hookscope(["timeline", "--json"])).output) as TurnDocument;
}

const decisionsAt = ({ invocations }: TurnDocument, wanted: string): readonly (readonly string[])[] =>
  invocations.filter(({ point }) => point === wanted).map(({ hook, decision }) => [hook, decision]);

test("rules of the policy come before the built-in ones, and hooks of plugins after the policy", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "plugins/audit.mjs": `export default {
        name: "audit",
        register: ({ hook }) => hook({ name: "audit_hook", points: ["pre_tool_call"], call: () => undefined }),
      };`,
      "hookscope.toml": `[plugins]
paths = ["plugins/audit.mjs"]

[[policy.rules]]
name = "nothing aloud"
tool = "shell"
args = { command = "^echo" }
action = "block"
reason = "it is night"
`,
    });
    await workspace.hookscope(["trust"]);
    expect((await workspace.run()).exitCode).toBe(0);
    const turn = await lastTurn(workspace);
    expect(decisionsAt(turn, "pre_tool_call")).toEqual([
      ["approval_policy", "block"],
      ["audit_hook", "continue"],
    ]);
    expect(turn.invocations.find(({ decision }) => decision === "block")?.reason).toBe(
      'it is night (approval policy, rule 1 "nothing aloud", tool shell)',
    );
  }, callsShell("echo loud"));
});

test("[agent] says model, profile, rounds and permission mode, and flags win over it", async () => {
  await inWorkspace(async (workspace) => {
    const { directory, modelUrl, hookscope } = workspace;
    await workspace.write({
      "my.toml": `[agent]
model = "local:small"
base_url = "${modelUrl}"
profile = "nightly"
permission_mode = "plan"
max_rounds = 1
`,
    });
    const args = ["run", "hello", "--config", `${directory}/my.toml`];
    await hookscope(args);
    const planned = await lastTurn(workspace);
    expect([planned.turn.outcome, planned.turn.blockedToolCalls]).toEqual(["permission_denied", 1]);
    // The model's second call: it replies at once.
    await hookscope([...args, "--permission-mode", "yolo", "--profile", "day", "--no-session"]);
    await hookscope([...args, "--permission-mode", "yolo", "--no-session"]);
    const free = await lastTurn(workspace);
    expect([free.turn.outcome, free.turn.toolCalls, free.turn.rounds]).toEqual(["max_turns", 1, 1]);
    const rows = JSON.parse((await hookscope(["cost", "--by", "profile", "--json"])).output) as { key: string }[];
    expect(rows.map(({ key }) => key).toSorted()).toEqual(["day", "nightly"]);
  }, callsShell("true"));
});

test("a spent budget ends the turn after its round, and keeps the next message from becoming one", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "my.toml": `${PRICES}\n[[metrics.budgets]]\nname = "small change"\nscope = "all"\nperiod = "total"\nusd = 0.01\non_tool_call = "allow"\n`,
    });
    const args = ["--config", "my.toml"];
    expect((await workspace.run(...args)).exitCode).toBe(0);
    const turn = await lastTurn(workspace);
    expect(turn.turn.rounds).toBe(1);
    expect(decisionsAt(turn, "shouldStopAfterTurn").map(([hook]) => hook)).toEqual(["budget"]);
    const { exitCode, output, errors } = await workspace.run(...args);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(errors).toBe(
      'hookscope: no turn was run: The budget "small change" ($0.01 in all) is spent: $0.02. (hook budget)\n',
    );
    const asJson = await workspace.run(...args, "--json");
    expect(JSON.parse(asJson.output)).toMatchObject({ outcome: "handled", hook: "budget" });
  }, callsShell("true"));
});

test("spans go where [telemetry] says, under its service name; the environment wins", async () => {
  const bodies = { file: "", environment: "" };
  const collector = async (key: keyof typeof bodies): Promise<{ readonly url: string; close(): void }> => {
    const server = createServer((request, response) => {
      request.on("data", (chunk: Buffer) => {
        bodies[key] += chunk.toString();
      });
      request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    });
    const listening = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", () => listening.resolve());
    await listening.promise;
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  };
  const [file, environment] = [await collector("file"), await collector("environment")];
  await inWorkspace(async ({ write, run, hookscope, modelUrl }) => {
    await write({ "my.toml": `[telemetry]\nendpoint = "${file.url}"\nservice_name = "night-shift"\n` });
    const first = await run("--config", "my.toml");
    expect(first.output).toMatch(new RegExp(`^Sent to ${file.url}/v1/traces: trace [0-9a-f]{32}$`, "m"));
    expect(bodies.file).toContain('"night-shift"');
    expect(bodies.environment).toBe("");
    const before = bodies.file;
    const args = ["run", "hello", "--model", "local:small", "--base-url", modelUrl, "--config", "my.toml"];
    await hookscope(args, { OTEL_EXPORTER_OTLP_ENDPOINT: environment.url, OTEL_SERVICE_NAME: "day-shift" });
    expect(bodies.file).toBe(before);
    expect(bodies.environment).toContain('"day-shift"');
  });
  file.close();
  environment.close();
});

test("a mistake in the file is one line with its place, and nothing is started", async () => {
  await inWorkspace(async ({ write, run, directory }) => {
    await write({ "my.toml": "[metrics]\nprot = 9464\n" });
    expect(await run("--config", "my.toml")).toEqual({
      exitCode: 1,
      output: "",
      errors: `hookscope: CONFIG_INVALID: ${directory}/my.toml:2: there is no setting metrics.prot; did you mean port?\n`,
    });
    expect((await run("--config", "none.toml")).errors).toMatch(
      /^hookscope: CONFIG_UNREADABLE: [^\n]+\/none\.toml cannot be read: [^\n]+\n$/,
    );
  });
});

test("the user's own file holds where the working directory has none", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ "../state/hookscope.toml": '[agent]\nprofile = "mine"\n' });
    await workspace.run();
    const { output } = await workspace.hookscope(["cost", "--by", "profile", "--json"]);
    expect(JSON.parse(output)).toMatchObject([{ key: "mine", calls: 1 }]);
  });
});
