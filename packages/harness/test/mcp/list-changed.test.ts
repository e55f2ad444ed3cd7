import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { callTools, createFakeClock, reply, type FakeClock, type Script } from "@hookscope/testing";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { AgentMod, Tool } from "../../src/index.ts";
import { mcpTools, type McpServer } from "../../src/mcp/index.ts";
import { createRig, tool, type Rig } from "../support/rig.ts";

const FIXTURE = fileURLToPath(new URL("fixtures/changing-server.ts", import.meta.url));

let clock: FakeClock;
let server: McpServer;
beforeEach(async () => {
  clock = createFakeClock();
  server = await mcpTools({
    name: "s",
    transport: { type: "stdio", command: process.execPath, args: [FIXTURE] },
    clock,
  });
});
afterEach(() => server.close());

const NAMES = ["early", "early_one", "change", "listings"];

test("a tool that is added is there, one that is removed is gone, and the others are as they were", async () => {
  const [, ...kept] = server.tools;
  expect(namesOf(server)).toEqual(NAMES);
  await change("add");
  expect(namesOf(server)).toEqual([...NAMES, "late"]);
  await change("remove");
  expect(namesOf(server)).toEqual(["early_one", "change", "listings", "late"]);
  expect(server.tools.slice(0, 3)).toEqual(kept);
  expect(server.tools.slice(0, 3).every((same, index) => same === kept[index])).toBe(true);
});

test("a tool whose schema changed is another, under the name it had", async () => {
  const [old] = server.tools;
  await change("change");
  const [early] = server.tools;
  expect([early?.name, early === old]).toEqual(["mcp__s__early", false]);
  expect(early?.inputSchema).toMatchObject({ properties: { count: { type: "number" } }, required: ["count"] });
});

test("a tool keeps its name where one comes that would have the same", async () => {
  await change("alike");
  expect(namesOf(server)).toEqual([...NAMES, "early_one_2"]);
  expect(await callOf(server, "early_one")).toBe("early.one {}");
  expect(await callOf(server, "early_one_2")).toBe("early_one {}");
});

test("a server that says a thousand times that its tools changed is asked at once, and once more a second later", async () => {
  await call("flood");
  expect(await callOf(server, "listings")).toBe("2");
  await clock.advance(999);
  expect(await callOf(server, "listings")).toBe("2");
  await clock.advance(1);
  expect(await callOf(server, "listings")).toBe("3");
  await clock.advance(60_000);
  expect(await callOf(server, "listings")).toBe("3");
});

test("where the list cannot be read the tools are as they were, and the error has a code", async () => {
  const tools = [...server.tools];
  const told = Promise.withResolvers<Error | undefined>();
  server.onToolsChange(told.resolve);
  await call("break");
  expect(await told.promise).toMatchObject({
    code: "MCP_LIST_FAILED",
    message:
      'MCP_LIST_FAILED: MCP server "s" said that its tools changed, and they cannot be listed: the list is gone.',
  });
  expect(server.tools.every((same, index) => same === tools[index])).toBe(true);
});

test("a listener that throws keeps no other from being told, now or later", async () => {
  const warned = once(process, "warning");
  const end = server.onToolsChange(() => {
    throw new Error("not today");
  });
  await change("add");
  expect(await warned).toEqual([
    expect.objectContaining({ name: "HookscopeMcpWarning", message: "a listener of onToolsChange threw: not today" }),
  ]);
  end();
  await change("remove");
  expect(namesOf(server)).toEqual(["early_one", "change", "listings", "late"]);
});

test("a server that was closed is not asked any more, and nobody is told", async () => {
  const told: unknown[] = [];
  server.onToolsChange((problem) => told.push(problem));
  await call("say and be silent");
  await server.close();
  await clock.advance(60_000);
  expect(told).toEqual([]);
});

describe("a harness with the server as a source of tools", () => {
  test("offers what is there at each round, and says what changed", async () => {
    const rig = rigOf([callTools([{ name: "mcp__s__change", input: { what: "add" } }]), reply("ok")]);
    await rig.run();
    expect(offered(rig)).toEqual([NAMES, [...NAMES, "late"]]);
    expect(notices(rig)).toEqual(["the tools of s changed: added mcp__s__late"]);
  });

  test("validates against the schema that is there now", async () => {
    const rig = rigOf([callTools([{ name: "mcp__s__early", input: {} }]), reply("ok")]);
    await change("change");
    await rig.run();
    expect(rig.events.flatMap((event) => (event.type === "tool_errored" ? [event.error] : []))).toEqual([
      "the input of mcp__s__early does not fit its schema: the input must have required property 'count'",
    ]);
    expect(notices(rig)).toEqual(["the tools of s changed: changed mcp__s__early"]);
  });

  test("leaves out a tool whose name is taken, and names it", async () => {
    const rig = rigOf([reply("ok")], [tool("mcp__s__late")]);
    await change("add");
    await rig.run();
    expect(errors(rig)).toEqual([["s", "tools", 'TOOL_NAME_DUPLICATE: a tool named "mcp__s__late" exists already.']]);
    expect(offered(rig)).toEqual([["late", ...NAMES]]);
  });

  test("says in an event that the list cannot be read", async () => {
    const rig = rigOf([reply("ok")]);
    await change("break");
    expect(errors(rig)).toEqual([
      [
        "s",
        "tools",
        'MCP_LIST_FAILED: MCP server "s" said that its tools changed, and they cannot be listed: the list is gone.',
      ],
    ]);
    expect(rig.events.length).toBe(1);
  });

  test("says in an event which tool is left out, and why", async () => {
    const rig = rigOf([reply("ok")]);
    await change("double");
    expect(errors(rig)).toEqual([
      [
        "s",
        "tools",
        'MCP_TOOL_SKIPPED: MCP server "s": left out is "early", since the server lists two tools named "early".',
      ],
    ]);
    expect(namesOf(server)).toEqual(NAMES);
  });

  test("does not follow it any more once it is closed", async () => {
    const rig = rigOf([reply("ok")]);
    await rig.harness.close();
    await change("add");
    expect(rig.events).toEqual([]);
  });
});

/** The first round waits for the list: what is tested is what a round is offered, not how fast the server is. */
function rigOf(steps: Script, tools: readonly Tool[] = []): Rig {
  const changed = nextChange();
  const patience: AgentMod = {
    id: "patience",
    async onTurnEnd({ state, hadToolCalls }) {
      if (hadToolCalls) await changed;
      return state;
    },
  };
  return createRig({ watch: [], watchMods: false, tools, toolSources: [server], mods: [patience], steps });
}

/** The names of the server's tools that each model call was offered, without what they begin with. */
function offered({ model }: Rig): readonly (readonly string[])[] {
  return model.requests.map(({ tools }) => tools.map(({ name }) => name.replace("mcp__s__", "")));
}

function errors({ events }: Rig): readonly (readonly string[])[] {
  return events.flatMap((event) => (event.type === "mod_error" ? [[event.modId, event.hook, event.error]] : []));
}

function notices({ events }: Rig): readonly string[] {
  return events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
}

function namesOf({ tools }: McpServer): readonly string[] {
  return tools.map(({ name }) => name.replace("mcp__s__", ""));
}

function nextChange(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = server.onToolsChange(() => {
    end();
    resolve();
  });
  return promise;
}

/** Has the server change, and waits until that is known; the next change is listened to at once. */
async function change(what: string): Promise<void> {
  const changed = nextChange();
  await call(what);
  await changed;
  await clock.advance(1_000);
}

function call(what: string): Promise<string> {
  return callOf(server, "change", { what });
}

/** Calls a tool of the server beside any turn. */
async function callOf({ tools }: McpServer, name: string, input = {}): Promise<string> {
  const found = tools.find((candidate) => candidate.name === `mcp__s__${name}`) as Tool;
  const output = await found.execute({
    toolCallId: "1",
    toolName: found.name,
    input,
    signal: new AbortController().signal,
    cwd: "/",
    turn: {} as never,
    parent: ROOT_CONTEXT,
    onUpdate: () => undefined,
  });
  return typeof output === "string" ? output : output.content;
}
