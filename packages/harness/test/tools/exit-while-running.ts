import { turnInfo } from "@hookscope/hooks";
import { ROOT_CONTEXT } from "@opentelemetry/api";

import { shellTool } from "../../src/tools/index.ts";

/* A program that exits in the middle of a command; its folder is its argument. */

const [, , root = "."] = process.argv;
await shellTool({ root }).execute({
  toolCallId: "call-1",
  toolName: "shell",
  input: { command: "trap '' TERM; sleep 300 & echo $! > child; echo started; wait" },
  signal: new AbortController().signal,
  cwd: root,
  turn: turnInfo(),
  parent: ROOT_CONTEXT,
  onUpdate: () => process.exit(3),
});
