import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, test } from "vitest";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../src/", import.meta.url));

/** What each example prints. */
const OUTPUT: { readonly [file: string]: readonly string[] } = {
  "ask-a-person.ts": [
    "asked: Delete record 7?",
    "completed: record 7 deleted",
    "asked: Delete record 8?",
    "blocked: Blocked: a person denied it",
    "Record 7 is gone, record 8 stays.",
  ],
  "hermes-plugin.ts": ["Blocked: deleting folders is not allowed", "ran: nice make", "Built."],
  "no-delegation-for-clients.ts": ["agent: Blocked: client agents work alone", "I will look it up myself."],
  "print-usage.ts": ["scripted-model: 2 in, 4 out", "scripted-model: 9 in, 4 out", "It is Monday."],
  "transform-a-result.ts": [
    "hide_addresses: modify, applied: true",
    "the model sees: Support, (address hidden), room 12",
    "Support sits in room 12.",
  ],
  "turn-counter.ts": [
    "message",
    'turn-counter/count: {"count":1}',
    "message",
    "message",
    'turn-counter/count: {"count":2}',
    "message",
  ],
  "until-green.ts": [
    "onStop until-green: modify, applied: true",
    "onStop until-green: modify, applied: true",
    "onStop until-green: continue, applied: false",
    "3 rounds: All tests pass.",
  ],
  "write-quota.ts": [
    "wrote notes/a.md",
    "blocked: Only files in notes/ may be written.",
    "blocked: No writes are left.",
    "end_turn: 1 written",
  ],
};

/** Sends its spans: below, and to a real Jaeger in the end-to-end checks. */
const EMBEDDED = "embed-the-bus.ts";

const files = readdirSync(folder);

describe("examples", () => {
  test("every example is run by a test", () => {
    expect(files.toSorted()).toEqual([...Object.keys(OUTPUT), EMBEDDED].toSorted());
  });

  test.for(files)("%s is under 60 lines", (file) => {
    expect(readFileSync(folder + file, "utf8").split("\n").length).toBeLessThan(60);
  });

  test("embed-the-bus.ts sends the hook's span under the turn's, and prints what was decided", async () => {
    const bodies: string[] = [];
    const collector = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
      request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    });
    const endpoint = await listen(collector);
    const { stdout, stderr } = await run(process.execPath, commandOf(EMBEDDED), {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    });
    await close(collector);
    expect({ stdout, stderr }).toEqual({ stdout: "Blocked: history is shared\n", stderr: "" });
    expect([...bodies.join("").matchAll(/"name":"([^"]+)","kind"/g)].map(([, name]) => name)).toEqual([
      "pre_tool_call no_force_push",
      "my turn",
    ]);
  });

  test("embed-the-bus.ts says so where nobody takes its spans, and ends all the same", async () => {
    const nobody = createServer();
    const endpoint = await listen(nobody);
    await close(nobody);
    const { stdout, stderr } = await run(process.execPath, commandOf(EMBEDDED), {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: "200" },
    });
    expect(stdout).toBe("Blocked: history is shared\n");
    expect(stderr).toMatch(
      /^Spans were not sent: [^\n]+\. Is a Collector or Jaeger at OTEL_EXPORTER_OTLP_ENDPOINT\?\n$/,
    );
  });

  test.for(Object.entries(OUTPUT))("%s prints what it says", async ([file, lines]) => {
    const { stdout } = await run(process.execPath, commandOf(file));
    expect(stdout.trimEnd().split("\n")).toEqual(lines);
  });
});

function commandOf(file: string): readonly string[] {
  return ["--conditions=@hookscope/source", folder + file];
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
