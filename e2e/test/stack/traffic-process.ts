import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { FinishedTurn, Report } from "../fixtures/traffic/protocol.ts";

/** The process that runs the turns, before it begins. */
export interface Traffic {
  readonly metricsUrl: string;
  /** Runs all turns, and resolves to them when their spans are sent. */
  run(): Promise<readonly FinishedTurn[]>;
  /** Everything it wrote to standard error. */
  stop(): Promise<string>;
}

export async function startTraffic(otlpUrl: string): Promise<Traffic> {
  const fixture = join(import.meta.dirname, "../fixtures/traffic.ts");
  const child = spawn(process.execPath, ["--conditions=@hookscope/source", fixture], {
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: otlpUrl },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const errors = text(child.stderr);
  const reports = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Report> => {
    const { done, value } = await reports.next();
    if (done === true) throw new Error(`the traffic ended too early:\n${await errors}`);
    return JSON.parse(value) as Report;
  };
  const first = await next();
  if (first.type !== "serving") throw new Error(`the traffic began with ${first.type}`);
  return {
    metricsUrl: first.metricsUrl,
    async run() {
      child.stdin.write("go\n");
      const turns: FinishedTurn[] = [];
      for (;;) {
        const report = await next();
        if (report.type === "done") return turns;
        if (report.type === "turn") turns.push(report.turn);
      }
    },
    async stop() {
      child.stdin.end();
      await ended;
      return errors;
    },
  };
}
