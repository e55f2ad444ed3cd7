import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";

import type { TurnDocument } from "@hookscope/telemetry";
import stringWidth from "string-width";
import { expect, test } from "vitest";

import { COMMAND, environmentOf, finished, runCommand, withHome } from "../fixtures/command.ts";

test("demo --exit --json prints one turn, whole and consistent", async () => {
  await withHome(async (home) => {
    const { exitCode, output } = await runCommand(["demo", "--exit", "--json"], home);
    const document = JSON.parse(output) as TurnDocument;
    expect(exitCode).toBe(0);
    expect(Object.keys(document)).toEqual(["turn", "traceId", "spans", "invocations"]);
    expect(document.turn).toMatchObject({
      outcome: "end_turn",
      rounds: 7,
      toolCalls: 7,
      blockedToolCalls: 1,
      hookFailures: 1,
    });
    // The two gateway points fire before the turn.
    expect(document.invocations.length).toBe((document.turn.hookInvocations ?? 0) + 2);
    expect(toolOutcomes(document)).toEqual([
      "read_file completed",
      "read_file completed",
      "shell blocked",
      "edit_file completed",
      "write_file completed",
      "agent completed",
      "shell completed",
    ]);
    expect(strayInvocations(document)).toEqual([]);
    expect(spansOutsideTheTrace(document)).toEqual([]);
    expect(spansOutsideTheirParentsTime(document)).toEqual([]);
  });
});

test("the demo's turn has all that it promises", async () => {
  await withHome(async (home) => {
    const { output } = await runCommand(["demo", "--exit", "--json"], home);
    const { spans, invocations } = JSON.parse(output) as TurnDocument;
    const of = (hook: string, part: (invocation: TurnDocument["invocations"][number]) => boolean): number =>
      invocations.filter((invocation) => invocation.hook === hook && part(invocation)).length;
    expect({
      asked: of("approval_policy", ({ decision, applied, pass }) => decision === "ask_user" && applied && pass === 2),
      superseded: of("approval_policy", ({ notAppliedReason }) => notAppliedReason === "superseded"),
      blocked: of("danger_guard", ({ decision, applied }) => decision === "block" && applied),
      changed: of(
        "docs_folder",
        ({ decision, changedKeys }) => decision === "modify" && changedKeys?.[0] === "file_path",
      ),
      failed: of("pager", ({ execution }) => execution === "error"),
      slow: of("slow_archive", ({ durationMs }) => durationMs >= 300),
      transformed: of("last_lines", ({ decision, applied }) => decision === "modify" && applied),
      ofMods: countsOf(
        invocations
          .filter(({ kind }) => kind === "mod")
          .map(({ point, hook, decision }) => `${point} ${hook} ${decision}`),
      ),
      streams: of("live_feed", ({ point }) => point === "on_stream_delta"),
    }).toEqual({
      asked: 1,
      superseded: 1,
      blocked: 1,
      changed: 1,
      failed: 1,
      slow: 1,
      transformed: 1,
      ofMods: {
        "onTurnStart round_counter modify": 7,
        "beforeToolCall short_output continue": 6,
        "beforeToolCall short_output modify": 1,
        "onStop loose_ends continue": 2,
      },
      streams: 6,
    });
    const named = (name: string): typeof spans => spans.filter((span) => span.name === name);
    expect(named("chat scripted-model").map(({ status }) => status.code)).toEqual([
      "ERROR",
      ...Array.from({ length: 6 }, () => "UNSET"),
      "UNSET",
    ]);
    const [first, second] = named("execute_tool read_file");
    expect((second?.startTime ?? Infinity) < (first?.endTime ?? 0)).toBe(true);
    expect(named("invoke_agent checker").length).toBe(1);
    expect(named("approval write_file")[0]?.attributes["agent_approval.choice"]).toBe("once");
  });
});

test("without a terminal the demo ends by itself, answers the default and says so", async () => {
  await withHome(async (home) => {
    const { exitCode, output, errors } = await runCommand(["demo"], home, { COLUMNS: "90" });
    expect(exitCode).toBe(0);
    expect(errors).toContain('No terminal to ask at: answered "once", the default.\n');
    expect(output).toContain('There is no terminal to ask at, so the one question is answered "once" at once.');
    const lines = output.split("\n");
    const timeline = lines.slice(
      lines.findIndex((line) => line.startsWith("Turn of maintainer")),
      lines.indexOf("Next:"),
    );
    expect(Math.max(...timeline.map((line) => stringWidth(line)))).toBe(90);
    expect((await readdir(home)).filter((name) => name.startsWith("hookscope-demo-"))).toEqual([]);
  });
});

test("the timeline command finds the demo's turn again, and lists it", async () => {
  await withHome(async (home) => {
    const demo = JSON.parse((await runCommand(["demo", "--json"], home)).output) as TurnDocument;
    const last = await runCommand(["timeline", "--json"], home);
    expect(JSON.parse(last.output)).toEqual(demo);
    const named = await runCommand(["timeline", "--json", "--session", demo.turn.sessionId ?? ""], home);
    expect(named.output).toBe(last.output);
    const listed = await runCommand(["timeline", "--list", "--json"], home);
    expect(JSON.parse(listed.output)).toEqual([demo.turn]);
    const table = await runCommand(["timeline", "--list", "--width", "120"], home);
    expect(table.output.split("\n")[1]).toContain(`  ${demo.turn.turnId}  `);
    expect(table.output.split("\n")[1]).toMatch(/ {2}end_turn, maintainer, 1 BLOCKED, 1 hook FAILED$/);
  });
});

test("a trace store that cannot be written does not keep the demo from running", async () => {
  await withHome(async (home) => {
    const { exitCode, output, errors } = await runCommand(["demo", "--json"], home, {
      HOOKSCOPE_HOME: "/dev/null/state",
    });
    expect(exitCode).toBe(0);
    expect((JSON.parse(output) as TurnDocument).turn.outcome).toBe("end_turn");
    expect(errors.split("\n")[0]).toMatch(
      /^hookscope: TRACE_STORE_UNWRITABLE: .+ This turn is shown, but not kept for `hookscope timeline`\.$/,
    );
  });
});

test("an endpoint nobody listens at neither fails the demo nor holds it", async () => {
  await withHome(async (home) => {
    const { exitCode, output, errors } = await runCommand(["demo"], home, {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    });
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Not sent to http:\/\/127\.0\.0\.1:9\/v1\/traces: \d+ spans are waiting or lost\.$/m);
    expect(errors).toContain("TELEMETRY_SPANS_DROPPED");
  });
});

test("where telemetry is switched off the demo still runs, and says why there is no timeline", async () => {
  await withHome(async (home) => {
    const { exitCode, output } = await runCommand(["demo"], home, { OTEL_SDK_DISABLED: "true" });
    expect(exitCode).toBe(0);
    expect(output).toContain("\nNo spans were recorded.\n");
  });
});

test.for(["SIGTERM", "SIGHUP"] as const)(
  "%s ends the demo's turn properly and leaves no copy of the workspace",
  async (signal) => {
    await withHome(async (home) => {
      const [node = "", ...rest] = COMMAND;
      const child = spawn(node, [...rest, "demo"], { env: environmentOf(home), stdio: ["ignore", "pipe", "pipe"] });
      const ended = finished(child);
      // The question comes in the middle of the turn.
      const asked = new Promise<void>((resolve) => {
        createInterface({ input: child.stderr }).on("line", (line) => {
          if (line.startsWith("Approval:")) resolve();
        });
      });
      await Promise.race([asked, ended]);
      child.kill(signal);
      await ended;
      expect(child.signalCode).toBe(signal);
      expect((await readdir(home)).filter((name) => name.startsWith("hookscope-demo-"))).toEqual([]);
      const { output } = await runCommand(["timeline", "--json"], home);
      expect((JSON.parse(output) as TurnDocument).turn.outcome).toBe("interrupted");
    });
  },
);

test("a folder for the workspace's copy that cannot be written is one clear error", async () => {
  await withHome(async (home) => {
    const { exitCode, errors } = await runCommand(["demo"], home, { TMPDIR: "/dev/null/x" });
    expect(exitCode).toBe(1);
    expect(errors).toMatch(
      /^hookscope: COMMAND_WORKSPACE_UNUSABLE: .+ Set TMPDIR to a folder that can be written\.\n$/,
    );
  });
});

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((other) => other === name).length]));
}

function toolOutcomes({ spans }: TurnDocument): readonly string[] {
  return spans
    .filter(({ attributes }) => attributes["agent_tool.outcome"] !== undefined)
    .map(({ attributes }) => `${String(attributes["gen_ai.tool.name"])} ${String(attributes["agent_tool.outcome"])}`);
}

function strayInvocations({ spans, invocations }: TurnDocument): readonly string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  return invocations.filter(({ spanId }) => !known.has(spanId)).map(({ hook }) => hook);
}

/** Spans that neither are the topmost one nor have it among their ancestors. */
function spansOutsideTheTrace({ spans, turn }: TurnDocument): readonly string[] {
  const parents = new Map(spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]));
  const root = parents.get(turn.spanId);
  const reaches = (spanId: string | null | undefined): boolean =>
    spanId === root || (typeof spanId === "string" && reaches(parents.get(spanId)));
  return spans.filter(({ spanId }) => !reaches(spanId)).map(({ name }) => name);
}

function spansOutsideTheirParentsTime({ spans }: TurnDocument): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  return spans
    .filter((span) => {
      const parent = byId.get(span.parentSpanId ?? "");
      return parent !== undefined && (span.startTime < parent.startTime || span.endTime > parent.endTime);
    })
    .map(({ name }) => name);
}
