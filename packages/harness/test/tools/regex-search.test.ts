import { Worker } from "node:worker_threads";

import { createSystemClock } from "@hookscope/hooks";
import { expect, onTestFinished, test, vi } from "vitest";

import { RegexSearch } from "../../src/tools/regex-search.ts";

const NEVER_LATE = { ...createSystemClock(), setTimer: () => ({ cancel: () => undefined }) };

function open(pattern: string): RegexSearch {
  const { signal } = new AbortController();
  const search = new RegexSearch({ pattern, limitMs: 1, clock: NEVER_LATE, signal });
  onTestFinished(() => search.close());
  return search;
}

test("lines are told as they are, without what ends them; the last one may have no end", async () => {
  const search = open("^b?$");
  expect(await search.linesOf("a\nb\r\n\nc\nb", 10, "a.txt")).toEqual([
    { line: 2, text: "b" },
    { line: 3, text: "" },
    { line: 5, text: "b" },
  ]);
  expect(await search.linesOf("b\n", 10, "a.txt")).toEqual([
    { line: 1, text: "b" },
    { line: 2, text: "" },
  ]);
  expect(await search.linesOf("b\nb\nb", 2, "a.txt")).toEqual([
    { line: 1, text: "b" },
    { line: 2, text: "b" },
  ]);
});

test("a text of very many lines takes no memory for each of them", async () => {
  const count = 20_000_000;
  expect(await open("x").linesOf(`${"\n".repeat(count)}x`, 1, "big.txt")).toEqual([{ line: count + 1, text: "x" }]);
});

test("a thread that ends while nobody waits for it takes nothing with it; the next search says that it cannot be", async () => {
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  onTestFinished(() => posted.mockRestore());
  const search = open("a");
  expect(await search.linesOf("a", 1, "a.txt")).toEqual([{ line: 1, text: "a" }]);
  const thread = posted.mock.contexts[0] as Worker;
  // What Node says where a thread ran out of memory.
  thread.emit("error", Object.assign(new Error("out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" }));
  await expect(search.linesOf("a", 1, "b.txt")).rejects.toThrow(
    'TOOL_FILE_UNREADABLE: "b.txt" cannot be searched: the search ended early (ERR_WORKER_OUT_OF_MEMORY).',
  );
});
