import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";

import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";

import { contextIsManaged, measureDispatch } from "./dispatch.ts";
import { toMarkdown } from "./report.ts";
import { measureSessions } from "./sessions.ts";

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
if (!contextIsManaged())
  throw new Error("no context manager is active; the traced cases would measure less than they say");

const tables = toMarkdown([...(await measureDispatch()), ...(await measureSessions())]);
const head = [
  "# Benchmarks",
  "",
  "Made by `npm run bench`. All cases of a table run interleaved in one process; a ratio is the median of the ratios of",
  "each round to the table's first line. Absolute times change from machine to machine and from run to run: compare",
  "ratios only. Hook bodies add one to a counter, so every figure is overhead.",
  "",
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores.`,
].join("\n");

console.log(tables);
await writeFile(new URL("../results.md", import.meta.url), `${head}\n\n${tables}\n`);
