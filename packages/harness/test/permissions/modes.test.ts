import { askUser, block } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createPermissions, HarnessError, type Approver, type PermissionMode } from "../../src/index.ts";
import { createRig, policy, tool, type Rig, type RigOptions } from "../support/rig.ts";

const TOOLS = ["read_file", "write_file", "shell", "custom"] as const;
type ToolName = (typeof TOOLS)[number];

const quiet = { watchMods: false, watch: ["api_request_error"] } as const;

/** A turn with one call of the tool. */
async function call(name: string, options: RigOptions = {}): Promise<Rig & { readonly stopReason: string }> {
  const rig = createRig({
    ...quiet,
    tools: [tool(name)],
    steps: [callTools([{ name, input: {} }]), reply("ok")],
    ...options,
  });
  const { stopReason } = await rig.run();
  return { ...rig, stopReason };
}

/** How the call ended. */
function ending({ events }: Rig): string {
  const ends = ["tool_completed", "tool_denied", "tool_hook_blocked"];
  return events.find(({ type }) => ends.includes(type))?.type ?? "";
}

const approver = (answer: "once" | "deny"): Approver => ({ ask: () => Promise.resolve(answer) });

describe("what each mode makes of each kind of tool", () => {
  const table: { readonly [Mode in PermissionMode]: { readonly [Name in ToolName]: "runs" | "asks" | "denied" } } = {
    default: { read_file: "runs", write_file: "asks", shell: "asks", custom: "asks" },
    "accept-edits": { read_file: "runs", write_file: "runs", shell: "asks", custom: "asks" },
    plan: { read_file: "runs", write_file: "denied", shell: "denied", custom: "denied" },
    yolo: { read_file: "runs", write_file: "runs", shell: "runs", custom: "runs" },
    "dont-ask": { read_file: "runs", write_file: "denied", shell: "denied", custom: "denied" },
  };
  const rows = Object.entries(table).flatMap(([mode, tools]) =>
    TOOLS.map((name) => [mode as PermissionMode, name, tools[name]] as const),
  );

  test.for(rows)("%s: %s %s", async ([mode, name, outcome]) => {
    const rig = await call(name, { permissions: createPermissions({ mode }), approver: approver("once") });
    const asked = rig.log.entries.some((entry) => entry.startsWith("▶ ask"));
    const expected = {
      runs: ["tool_completed", false],
      asks: ["tool_completed", true],
      denied: ["tool_denied", false],
    };
    expect([ending(rig), asked]).toEqual(expected[outcome]);
  });
});

describe("asking", () => {
  test("a person who denies blocks the call, and the turn goes on", async () => {
    const rig = await call("shell", { permissions: createPermissions(), approver: approver("deny") });
    expect([ending(rig), rig.stopReason]).toEqual(["tool_hook_blocked", "end_turn"]);
  });

  test("nobody there blocks it too", async () => {
    const rig = await call("shell", { permissions: createPermissions() });
    expect([ending(rig), rig.stopReason]).toEqual(["tool_hook_blocked", "end_turn"]);
  });

  test("the question is the description where there is one", async () => {
    const permissions = createPermissions({ generateDescription: () => Promise.resolve("Lists the files.") });
    const described = await call("shell", { permissions, approver: approver("once") });
    const plain = await call("shell", { permissions: createPermissions(), approver: approver("once") });
    expect([...described.log.only("▶ ask"), ...plain.log.only("▶ ask")]).toEqual([
      "▶ ask Lists the files.",
      "▶ ask Run shell?",
    ]);
  });

  test("a hook that asks as well asks instead: one question for one call", async () => {
    const hook = policy(() => askUser("Really?"));
    const rig = await call("shell", { permissions: createPermissions(), approver: approver("once"), hooks: [hook] });
    expect(rig.log.only("▶ ask")).toEqual(["▶ ask Really?"]);
  });

  test("a hook that blocks is not outvoted by a person: nobody is asked", async () => {
    const hook = policy(() => block("no"));
    const rig = await call("shell", { permissions: createPermissions(), approver: approver("once"), hooks: [hook] });
    expect([ending(rig), rig.log.only("▶ ask")]).toEqual(["tool_hook_blocked", []]);
  });

  test("a check that only says ask has a question all the same", async () => {
    const rig = await call("look", { permissions: { check: () => ({ decision: "ask" }) }, approver: approver("once") });
    expect(rig.log.only("▶ ask")).toEqual(["▶ ask Run look?"]);
  });
});

describe("lists", () => {
  test.for<[string, PermissionMode, string]>([
    ["allowed tools are not asked for", "default", "tool_completed"],
    ["nor denied where nobody is asked", "dont-ask", "tool_completed"],
    ["but plan mode changes nothing", "plan", "tool_denied"],
  ])("%s", async ([, mode, end]) => {
    const permissions = createPermissions({ mode, allow: ["mcp__files__*"] });
    expect(ending(await call("mcp__files__write", { permissions }))).toBe(end);
  });

  test("denied tools do not run in yolo either", async () => {
    const permissions = createPermissions({ mode: "yolo", allow: ["shell"], deny: ["shell"] });
    expect(ending(await call("shell", { permissions }))).toBe("tool_denied");
  });

  test("a tool of one's own has the kind one says", async () => {
    const permissions = createPermissions({ mode: "plan", kinds: { lookup: "read" } });
    expect(ending(await call("lookup", { permissions }))).toBe("tool_completed");
  });
});

describe("the mode changes", () => {
  test("with the next round; the round under way keeps its own, and the event says so at once", async () => {
    const permissions = createPermissions({ mode: "yolo" });
    const shell = tool("shell", () => {
      permissions.setMode("plan");
      return "done";
    });
    const batch = callTools([
      { name: "shell", input: {} },
      { name: "shell", input: {} },
    ]);
    const rig = createRig({ ...quiet, tools: [shell], permissions, steps: [batch, batch] });
    const { stopReason } = await rig.run();
    expect(stopReason).toBe("permission_denied");
    expect(rig.log.only("→ tool_completed", "→ tool_denied", "→ permission_mode_changed")).toEqual([
      expect.stringContaining("→ permission_mode_changed"),
      expect.stringContaining("→ tool_completed"),
      expect.stringContaining("→ tool_completed"),
      expect.stringContaining("→ tool_denied"),
    ]);
  });

  test("a harness that was closed does not tell any more", async () => {
    const permissions = createPermissions();
    const rig = createRig({ ...quiet, permissions });
    permissions.setMode("plan");
    await rig.harness.close();
    permissions.setMode("yolo");
    expect(rig.events.flatMap((event) => (event.type === "permission_mode_changed" ? [event.mode] : []))).toEqual([
      "plan",
    ]);
  });

  test("setting the same mode changes nothing, and an unknown one is refused", () => {
    const permissions = createPermissions();
    const told: string[] = [];
    const stop = permissions.onModeChange((mode) => told.push(mode));
    permissions.setMode("default");
    permissions.setMode("plan");
    stop();
    permissions.setMode("yolo");
    expect(told).toEqual(["plan"]);
    const error = new HarnessError(
      "HARNESS_OPTION_INVALID",
      'the permission mode is "fast"; it must be one of default, accept-edits, plan, yolo, dont-ask.',
    );
    expect(() => permissions.setMode("fast" as never)).toThrow(error);
    expect(() => createPermissions({ mode: "fast" as never })).toThrow(error);
    expect(permissions.mode()).toBe("yolo");
  });
});

test.for([
  ["all", 'createPermissions was given "all"; it must be given an object, or nothing.'],
  [{ allow: "shell" }, '`allow` is "shell"; it must be a list of texts.'],
  [{ deny: [5] }, "`deny` is a list; it must be a list of texts."],
  [{ denny: ["shell"] }, "`denny` is unknown; did you mean `deny`?"],
  [{ kinds: { deploy: "wirte" } }, "`kinds` is an object; it must be an object of read, edit, shell, other, by tool."],
  [{ generateDescription: "yes" }, '`generateDescription` is "yes"; it must be a function.'],
] as const)("permissions that cannot be used are refused where they are made: %j", ([options, problem]) => {
  expect(() => createPermissions(options as never)).toThrow(new HarnessError("HARNESS_OPTION_INVALID", problem));
});
