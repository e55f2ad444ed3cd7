import { createServer, type AddressInfo } from "node:net";

import type { ModLoadResult } from "@hookscope/harness";
import type { HookListing } from "@hookscope/hooks";
import { expect, test } from "vitest";

import type { Check } from "../../src/doctor/checks.ts";
import { inWorkspace, type Workspace } from "../fixtures/workspace.ts";

interface Diagnosis {
  readonly checks: readonly Check[];
  readonly hooks: readonly HookListing[];
  readonly mods: readonly ModLoadResult[];
}

const PLUGIN = (name: string): string => `export default {
  name: "${name}",
  register(context) {
    context.hook({ name: "${name}_hook", points: ["pre_tool_call"], call: () => undefined });
  },
};`;

const BUDGET = '[[metrics.budgets]]\nname = "day"\nscope = "all"\nusd = 5\n';

async function diagnose(
  { hookscope }: Workspace,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number | null } & Diagnosis> {
  const { exitCode, output } = await hookscope(["doctor", "--json", ...args], environment);
  return { exitCode, ...(JSON.parse(output) as Diagnosis) };
}

const statusesOf = ({ checks }: Diagnosis): Readonly<Record<string, string>> =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));
const detailOf = ({ checks }: Diagnosis, name: string): string | undefined =>
  checks.find((check) => check.name === name)?.detail;

test("without any configuration everything that is asked for is well", async () => {
  await inWorkspace(async (workspace) => {
    const found = await diagnose(workspace);
    expect(found.exitCode).toBe(0);
    expect(statusesOf(found)).toEqual({
      configuration: "ok",
      telemetry: "ok",
      "trace store": "ok",
      sessions: "ok",
      ledger: "ok",
      metrics: "off",
      model: "off",
      workspace: "off",
      runtime: "ok",
    });
  });
});

test("hooks are those registered in a runtime that was built: policy, plugins as listed, exporters", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "z.mjs": PLUGIN("zebra"),
      "a.mjs": PLUGIN("ant"),
      "hookscope.toml": `[plugins]\npaths = ["z.mjs", "a.mjs"]\n[metrics]\nport = 0\n${BUDGET}`,
    });
    await workspace.hookscope(["trust"]);
    const { hooks, exitCode } = await diagnose(workspace);
    expect(exitCode).toBe(0);
    const at = (point: string): readonly string[] =>
      hooks.filter((hook) => hook.point === point).map(({ hook }) => hook);
    expect(at("pre_tool_call")).toEqual(["approval_policy", "zebra_hook", "ant_hook", "budget"]);
    expect(at("post_api_request")).toEqual(["usage", "cost"]);
    expect(hooks.find(({ hook }) => hook === "ant_hook")?.source).toBe("ant");
  });
});

test("no exporter of metrics is at pre_tool_call, where its failure would block", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ "my.toml": "[metrics]\nport = 0\n" });
    const { hooks } = await diagnose(workspace, ["--config", "my.toml"]);
    expect(hooks.filter(({ point }) => point === "pre_tool_call").map(({ hook }) => hook)).toEqual(["approval_policy"]);
    expect(new Set(hooks.map(({ hook }) => hook))).toEqual(new Set(["approval_policy", "usage", "cost"]));
  });
});

test("what is wrong is said, each by its code, and doctor ends with 1", async () => {
  await inWorkspace(async (workspace) => {
    const taken = createServer();
    const listening = Promise.withResolvers<void>();
    taken.listen(0, "127.0.0.1", () => listening.resolve());
    await listening.promise;
    await workspace.write({
      "guard.mjs": "export default 3;",
      "my.toml": `[metrics]\nport = ${(taken.address() as AddressInfo).port}\nledger = "/proc/nowhere/ledger.db"\n[agent]\nmodel = "anthropic:x"\n[mods]\npaths = ["guard.mjs"]\n[telemetry]\ntrace_store = "/proc/nowhere/traces.db"\n[sessions]\ndirectory = "/proc/nowhere"\n`,
    });
    const found = await diagnose(workspace, ["--config", "my.toml"]);
    taken.close();
    expect(found.exitCode).toBe(1);
    const codes = found.checks.map(({ name, status, detail }) => [name, status, /^[A-Z_]+(?=: )/.exec(detail)?.[0]]);
    expect(codes).toEqual([
      ["configuration", "ok", undefined],
      ["telemetry", "ok", undefined],
      ["trace store", "problem", "TRACE_STORE_UNWRITABLE"],
      ["sessions", "problem", "SESSION_NOT_WRITABLE"],
      ["ledger", "problem", "METRICS_LEDGER_UNUSABLE"],
      ["metrics", "problem", "METRICS_PORT_IN_USE"],
      ["model", "problem", "COMMAND_MODEL_KEY_MISSING"],
      ["workspace", "off", undefined],
      ["runtime", "ok", undefined],
    ]);
    expect(found.mods.map(({ name, status }) => [name, status])).toEqual([["guard", "failed"]]);
  });
});

test("telemetry that records nothing is a problem", async () => {
  await inWorkspace(async (workspace) => {
    const found = await diagnose(workspace, [], { OTEL_SDK_DISABLED: "true" });
    expect([found.exitCode, statusesOf(found)["telemetry"]]).toEqual([1, "problem"]);
  });
});

test.for<readonly [Record<string, string>, string]>([
  [{}, "recording; spans go to the trace store alone: no endpoint is named (OTEL_EXPORTER_OTLP_ENDPOINT)"],
  [{ OTEL_TRACES_EXPORTER: "none" }, "recording; spans go to the trace store alone: OTEL_TRACES_EXPORTER is none"],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:secret@127.0.0.1:9", OTEL_TRACES_EXPORTER: "otlp,console" },
    "recording; spans go to the trace store and to http://127.0.0.1:9/v1/traces and standard error",
  ],
  [{ OTEL_TRACES_EXPORTER: "console" }, "recording; spans go to the trace store and to standard error"],
])("doctor says where spans go with %j", async ([environment, detail]) => {
  await inWorkspace(async (workspace) => {
    expect(detailOf(await diagnose(workspace, [], environment), "telemetry")).toBe(detail);
  });
});

test("a plugin that cannot be loaded keeps everything from starting, and doctor says so", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ "none.mjs": "export const plugin = 1;", "my.toml": '[plugins]\npaths = ["none.mjs"]\n' });
    const { exitCode, errors } = await workspace.run("--config", "my.toml");
    const problem = `PLUGIN_LOAD_FAILED: ${workspace.directory}/none.mjs: it has no default export; export the plugin by default.`;
    expect([exitCode, errors]).toEqual([1, `hookscope: ${problem}\n`]);
    const found = await diagnose(workspace, ["--config", "my.toml"]);
    expect([found.exitCode, detailOf(found, "runtime")]).toEqual([1, `nothing would start: ${problem}`]);
  });
});

test("the file of a workspace that is not trusted is not read, and doctor looks at the rest", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ "hookscope.toml": "[agent]\nmax_rounds = 3\n" });
    const { exitCode, errors } = await workspace.run();
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^hookscope: CONFIG_UNTRUSTED: [^\n]+`hookscope trust`, or name it with --config\.\n$/);
    const before = await diagnose(workspace);
    expect([before.exitCode, statusesOf(before)["configuration"]]).toEqual([1, "problem"]);
    await workspace.hookscope(["trust"]);
    const after = await diagnose(workspace);
    expect([after.exitCode, detailOf(after, "configuration")]).toEqual([0, `${workspace.directory}/hookscope.toml`]);
  });
});

test("the text fits the terminal", async () => {
  await inWorkspace(async ({ hookscope }) => {
    const { output } = await hookscope(["doctor", "--width", "80"]);
    expect(output.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(output.split("\n").slice(-12)).toEqual([
      "",
      "Hooks, in the order they run at each point:",
      "  post_api_request",
      "    1 cost             a failure is skipped, 1m 00s at most",
      "  api_request_error",
      "    1 cost             a failure is skipped, 1m 00s at most",
      "  pre_tool_call",
      "    1 approval_policy  a failure blocks, 1m 00s at most, again if changed",
      "",
      "Mods:",
      "  No mods were found.",
      "",
    ]);
  });
});
