import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import type { JsonObject, Risk } from "@hookscope/hooks";

import type { HarnessError } from "../errors.ts";
import { ToolTable } from "../tool-table.ts";
import type { Tool, ToolExecution, ToolOutput } from "../tool.ts";
import { toolName } from "./names.ts";

export interface SkippedTool {
  readonly name: string;
  readonly reason: string;
}

export interface ListChange {
  readonly isDifferent: boolean;
  readonly newlySkipped: readonly SkippedTool[];
}

export interface ServerToolsOptions {
  readonly server: string;
  readonly risk: Risk;
  readonly call: (tool: string, execution: ToolExecution) => Promise<ToolOutput>;
}

interface Made {
  readonly tool: Tool;
  /** What the server said of it. */
  readonly definition: string;
}

/** The tools of a server as it last listed them. One keeps its name, and its object, for as long as it is listed unchanged. */
export class ServerTools {
  readonly #options: ServerToolsOptions;
  /** By the server's own names. */
  #made: ReadonlyMap<string, Made> = new Map();
  #skipped: readonly SkippedTool[] = [];

  constructor(options: ServerToolsOptions) {
    this.#options = options;
  }

  get tools(): readonly Tool[] {
    return [...this.#made.values()].map(({ tool }) => tool);
  }

  get skipped(): readonly SkippedTool[] {
    return this.#skipped;
  }

  /** @returns whether the tools are others now, and which are left out that were not before */
  update(listed: readonly ServerTool[]): ListChange {
    const before = this.#made;
    const made = new Map<string, Made>();
    const table = new ToolTable();
    const skipped: SkippedTool[] = [];
    const listedNames = new Set(listed.map(({ name }) => name));
    // The names of tools that stay are taken, wherever they are in the list now.
    const taken = new Set([...before].flatMap(([name, { tool }]) => (listedNames.has(name) ? [tool.name] : [])));
    for (const tool of listed) {
      const old = before.get(tool.name);
      const definition = JSON.stringify([tool.description, tool.title, tool.inputSchema]);
      try {
        if (made.has(tool.name)) throw new Error(`the server lists two tools named ${JSON.stringify(tool.name)}.`);
        const name = old?.tool.name ?? toolName(this.#options.server, tool.name, taken);
        made.set(tool.name, old?.definition === definition ? old : { tool: this.#make(tool, name, table), definition });
        taken.add(name);
      } catch (error) {
        skipped.push({ name: tool.name, reason: (error as HarnessError).message });
      }
    }
    const known = new Set(this.#skipped.map(({ reason }) => reason));
    this.#made = made;
    this.#skipped = skipped;
    return {
      isDifferent: before.size !== made.size || [...made].some(([name, { tool }]) => before.get(name)?.tool !== tool),
      newlySkipped: skipped.filter(({ reason }) => !known.has(reason)),
    };
  }

  /** @throws HarnessError TOOL_* where it cannot be used */
  #make(tool: ServerTool, name: string, table: ToolTable): Tool {
    const { risk, call } = this.#options;
    const made: Tool = {
      name,
      description: tool.description ?? tool.title ?? tool.name,
      inputSchema: tool.inputSchema as JsonObject,
      risk,
      type: "extension",
      execute: (execution) => call(tool.name, execution),
    };
    table.add(made);
    return made;
  }
}
