import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { MemoryReport } from "./memory-process.ts";
import { toRatio, type Table } from "./report.ts";

const AIM = 1.2;

/**
 * How much memory a process takes that makes 2,000 spans a second while nobody receives them, against one whose spans are
 * received. Both run at the same time. Every span must be accounted for.
 *
 * @param seconds how long
 */
export async function measureMemory(seconds: number): Promise<readonly Table[]> {
  const receiver = await startReceiver();
  const refusing = await portOfNobody();
  try {
    const [healthy, down] = await Promise.all([
      runProcess(`http://127.0.0.1:${portOf(receiver)}`, seconds),
      runProcess(`http://127.0.0.1:${refusing}`, seconds),
    ]);
    if (healthy.exported === 0) throw new Error("the receiver received nothing; the comparison would say nothing");
    return [memoryTable(seconds, healthy, down)];
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

function memoryTable(seconds: number, healthy: MemoryReport, down: MemoryReport): Table {
  const heap = down.peakHeapBytes / healthy.peakHeapBytes;
  const resident = down.peakResidentBytes / healthy.peakResidentBytes;
  const outcome = (ratio: number): string => (ratio <= AIM ? "met" : "not met");
  const row = (name: string, report: MemoryReport, heapRatio: number, residentRatio: number): string[] => [
    name,
    toMegabytes(report.peakResidentBytes),
    toRatio(residentRatio),
    toMegabytes(report.peakHeapBytes),
    toRatio(heapRatio),
    toMegabytes(report.peakHeapBytesOfFirstHalf),
    report.made.toLocaleString("en"),
    report.exported.toLocaleString("en"),
    report.dropped.toLocaleString("en"),
    (report.made - report.exported - report.dropped).toLocaleString("en"),
  ];
  return {
    title: `Memory, the Collector down for ${seconds} s, 2,000 spans/s`,
    note: `Peaks, of the process and of its live heap, which is measured after a collection each second and holds the full queue when nobody receives. Aim: at most ${toRatio(AIM)} of the healthy one's memory (process: ${outcome(resident)}; live heap: ${outcome(heap)}), and no span unaccounted for.`,
    head: [
      "Collector",
      "process MB",
      "ratio",
      "live heap MB",
      "ratio",
      "first half MB",
      "spans made",
      "received",
      "counted as lost",
      "unaccounted",
    ],
    rows: [row("healthy", healthy, 1, 1), row("connection refused", down, heap, resident)],
  };
}

async function runProcess(endpoint: string, seconds: number): Promise<MemoryReport> {
  const child = fork(new URL("memory-process.ts", import.meta.url), [endpoint, String(seconds)], {
    execArgv: ["--conditions=@hookscope/source", "--expose-gc"],
    env: {},
  });
  const reports: MemoryReport[] = [];
  child.on("message", (report) => reports.push(report as MemoryReport));
  const [code] = (await once(child, "exit")) as [number | null];
  const [report] = reports;
  if (code !== 0 || report === undefined) throw new Error(`the process that makes spans ended with ${String(code)}`);
  return report;
}

/** Takes every batch and keeps nothing. */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** A port that was free a moment ago: connections to it are refused. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function toMegabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
