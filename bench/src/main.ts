import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";

import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";

import { contextIsManaged, measureDispatch } from "./dispatch.ts";
import { measureMemory } from "./memory.ts";
import { measureMetrics } from "./metrics.ts";
import { toMarkdown, type Table } from "./report.ts";
import { measureSessions } from "./sessions.ts";

const PARTS: { readonly [Name in string]: () => Promise<readonly Table[]> } = {
  dispatch: measureDispatch,
  metrics: measureMetrics,
  sessions: measureSessions,
  memory: () => measureMemory(seconds),
};

const { values: options } = parseArgs({
  options: {
    /** Parts to run, without writing the results; default all. */
    only: { type: "string", multiple: true },
    /** How long the Collector is down. */
    "memory-seconds": { type: "string", default: "20" },
  },
});
const seconds = Number(options["memory-seconds"]);
if (!(seconds >= 1)) throw new Error(`--memory-seconds is ${options["memory-seconds"]}; give at least 1.`);

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
if (!contextIsManaged())
  throw new Error("no context manager is active; the traced cases would measure less than they say");

const tables: Table[] = [];
for (const name of options.only ?? Object.keys(PARTS)) {
  const part = PARTS[name];
  if (part === undefined)
    throw new Error(`there is no part "${name}"; the parts are ${Object.keys(PARTS).join(", ")}.`);
  const measured = await part();
  console.log(`${toMarkdown(measured)}\n`);
  tables.push(...measured);
}

if (options.only === undefined) {
  const given = process.argv.slice(2);
  const command = `npm run bench${given.length === 0 ? "" : ` -- ${given.join(" ")}`}`;
  const head = [
    "# Benchmarks",
    "",
    `Made by \`${command}\`.`,
    "",
    "All cases of a table run interleaved in one process, with a full collection before each; a ratio is the median of",
    "the ratios of each round to the table's first line. Times are processor time of the whole",
    "process, so that what else runs on the machine does not count and collecting garbage does; those of sessions, which",
    "wait for files, are elapsed time. They change from machine to machine: compare ratios only. Hook bodies add one to a",
    "counter, so every figure is overhead.",
    "",
    `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores.`,
  ].join("\n");
  await writeFile(new URL("../results.md", import.meta.url), `${head}\n\n${toMarkdown(tables)}\n`);
}
