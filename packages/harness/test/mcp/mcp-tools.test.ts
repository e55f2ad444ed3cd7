import { fileURLToPath } from "node:url";

import { callTools, createTestTelemetry, reply, type TestTelemetry } from "@hookscope/testing";
import { afterEach, describe, expect, test } from "vitest";

import { mcpTools, type McpServer, type McpServerOptions } from "../../src/mcp/index.ts";
import { createRig, type Rig, type RigOptions } from "../support/rig.ts";

const FIXTURE = fileURLToPath(new URL("fixtures/server.ts", import.meta.url));
const open: McpServer[] = [];
let telemetry: TestTelemetry | undefined;

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
  await telemetry?.dispose();
  telemetry = undefined;
});

async function connect(more: Partial<McpServerOptions> = {}): Promise<McpServer> {
  const transport = { type: "stdio", command: process.execPath, args: [FIXTURE], env: { TEAM: "red" } } as const;
  const server = await mcpTools({ name: "fixture", transport, ...more });
  open.push(server);
  return server;
}

/** A turn that calls one of the server's tools. */
async function call(server: McpServer, tool: string, input = {}, more: RigOptions = {}): Promise<Rig> {
  const rig = createRig({
    watchMods: false,
    watch: ["api_request_error"],
    tools: server.tools,
    steps: [callTools([{ name: `mcp__fixture__${tool}`, input }]), reply("ok")],
    ...more,
  });
  await rig.run();
  return rig;
}

function outcome({ events }: Rig): readonly unknown[] {
  return events.flatMap((event) => {
    if (event.type === "tool_completed") return ["completed", event.result];
    return event.type === "tool_errored" ? ["errored", event.error] : [];
  });
}

describe("the tools of a real server", () => {
  test("are named after it, and each takes the one path of a tool call", async () => {
    const server = await connect();
    expect(server.tools.map(({ name, type, risk }) => [name, type, risk])).toEqual(
      ["add", "fail", "trace", "picture", "hang", "name_with_dots", "long"].map((name) => [
        `mcp__fixture__${name}`,
        "extension",
        "unknown",
      ]),
    );
    expect(server.tools[0]?.description).toBe("Adds two numbers.");
    expect(server.skipped).toEqual([]);
    expect(outcome(await call(server, "add", { left: 2, right: 3 }))).toEqual(["completed", "5"]);
  });

  test("an input that does not fit the server's schema never reaches it", async () => {
    expect(outcome(await call(await connect(), "add", { left: 2 }))).toEqual([
      "errored",
      "the input of mcp__fixture__add does not fit its schema: the input must have required property 'right'",
    ]);
  });

  test("a result that says it is an error is one", async () => {
    expect(outcome(await call(await connect(), "fail"))).toEqual(["errored", "the disk is full"]);
  });

  test("what is no text is named", async () => {
    expect(outcome(await call(await connect(), "picture"))).toEqual([
      "completed",
      "[image: image/png, 4 bytes]\n[resource: file:///notes.txt]\ninside",
    ]);
  });

  test("of a text over 1 MiB the beginning and the end are kept, cut at whole characters", async () => {
    const half = 512 * 1024;
    // "begin\n" and 6 bytes less of the letters, of two bytes each; "\nend" and 4 bytes less.
    const cut = [
      "begin\n",
      "é".repeat((half - 6) / 2),
      "\n[… 10 bytes left out …]\n",
      "é".repeat((half - 4) / 2),
      "\nend",
    ];
    const repeat = half;
    const server = await connect();
    for (const [fails, kind] of [
      [false, "completed"],
      [true, "errored"],
    ] as const) {
      const [outcomeKind, text] = outcome(await call(server, "long", { repeat, fails }));
      expect([outcomeKind, text === cut.join("")]).toEqual([kind, true]);
    }
  });

  test("a text of 1 MiB is whole", async () => {
    const repeat = 512 * 1024 - 5;
    const [, text] = outcome(await call(await connect(), "long", { repeat, fails: false }));
    expect(text === `begin\n${"é".repeat(repeat)}\nend`).toBe(true);
  });

  test("the server gets its own variables and none of this process's secrets", async () => {
    process.env["HOOKSCOPE_TEST_TOKEN"] = "secret";
    try {
      expect(outcome(await call(await connect(), "name_with_dots"))).toEqual(["completed", "undefinedred"]);
    } finally {
      delete process.env["HOOKSCOPE_TEST_TOKEN"];
    }
  });

  test("a call carries the trace of its span", async () => {
    telemetry = createTestTelemetry();
    const rig = await call(await connect(), "trace");
    const span = telemetry.spans().find(({ name }) => name === "execute_tool mcp__fixture__trace");
    const meta = JSON.parse(String(outcome(rig)[1])) as Record<string, unknown>;
    expect(meta["traceparent"]).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    expect(span?.attributes["gen_ai.tool.type"]).toBe("extension");
  });
});

describe("a server's faults", () => {
  test("a call that takes too long fails with its limit", async () => {
    const rig = await call(await connect({ timeoutMs: 200 }), "hang");
    expect(outcome(rig)[0]).toBe("errored");
    expect(String(outcome(rig)[1])).toMatch(/timed out/iu);
  });

  test("an interrupt cancels the call", async () => {
    const rig = await call(await connect(), "hang", {}, { interruptAt: "▶ mcp__fixture__hang" });
    expect(rig.log.only("→ run_end")).toEqual(["→ run_end interrupted"]);
  });

  test("a server that ends during the turn is a failed call", async () => {
    const server = await connect();
    await server.close();
    expect(outcome(await call(server, "add", { left: 1, right: 1 }))[0]).toBe("errored");
  });

  test("one that cannot be started is a coded error", async () => {
    const transport = { type: "stdio", command: "no-such-server" } as const;
    await expect(mcpTools({ name: "gone", transport })).rejects.toThrow(
      /^MCP_CONNECT_FAILED: MCP server "gone": .*ENOENT/u,
    );
  });

  test("one that ends before it answers is too, with what it wrote and no secret of it", async () => {
    const transport = {
      type: "stdio",
      command: process.execPath,
      args: ["--eval", `console.error('no licence for ghp_${"a".repeat(36)}'); process.exitCode = 1;`],
    } as const;
    await expect(mcpTools({ name: "dead", transport })).rejects.toThrow(
      /^MCP_CONNECT_FAILED: MCP server "dead": .* It wrote: no licence for \[redacted:github_token\]$/u,
    );
  });

  test.for(["", "a b", "a__b", "_a"])("the name %j is refused", async (name) => {
    await expect(mcpTools({ name, transport: { type: "http", url: "http://127.0.0.1/" } })).rejects.toThrow(
      /^MCP_SERVER_INVALID: an MCP server's name is /u,
    );
  });

  test("so is an address that is none", async () => {
    await expect(mcpTools({ name: "web", transport: { type: "http", url: "nowhere" } })).rejects.toThrow(
      'MCP_SERVER_INVALID: MCP server "web": "nowhere" is no URL.',
    );
  });
});
