import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { turnInfo } from "@hookscope/hooks";
import { ROOT_CONTEXT, type Context } from "@opentelemetry/api";
import { onTestFinished } from "vitest";

import type { Tool, ToolOutput } from "../../src/tool.ts";

/** A folder `workspace` beside a folder `outside`, both gone after the test. */
export async function makeFolders(): Promise<{ readonly root: string; readonly outside: string }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "hookscope-tools-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, "workspace");
  const outside = join(base, "outside");
  await mkdir(root);
  await mkdir(outside);
  return { root, outside };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly parent?: Context;
  readonly onUpdate?: (partial: string) => void;
}

export async function callTool(
  tool: Tool,
  input: Record<string, unknown>,
  options: CallOptions = {},
): Promise<ToolOutput> {
  const output = await tool.execute({
    toolCallId: "call-1",
    toolName: tool.name,
    input,
    signal: options.signal ?? new AbortController().signal,
    cwd: ".",
    turn: turnInfo(),
    parent: options.parent ?? ROOT_CONTEXT,
    onUpdate: options.onUpdate ?? (() => undefined),
  });
  return typeof output === "string" ? { content: output } : output;
}

/** The code and the message of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    (value) => new Error(`it did not fail: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  return (error as Error).message;
}
