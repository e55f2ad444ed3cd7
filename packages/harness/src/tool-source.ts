import type { Tool } from "./tool.ts";

/** Where tools come from whose list may change while they are in use. An MCP server is one. */
export interface ToolSource {
  /** Names it in events. */
  readonly name: string;
  /** The tools of the moment. One that has not changed is the same object as before. */
  readonly tools: readonly Tool[];
  /**
   * Tells of each change once it is made; with a problem, of a list that could not be read: the tools are then as they were.
   *
   * @returns what ends that
   */
  onToolsChange(listener: (problem?: Error) => void): () => void;
}

/** Where the tools of a source go: a harness. */
export interface ToolSourceHost {
  /** Never throws: a tool that cannot be added is said by the host. */
  add(tool: Tool): () => void;
  /** @param change as a phrase */
  changed(change: string): void;
  failed(problem: Error): void;
}

/** Adds the tools of a source, and goes on to add and remove them as it changes, until what is returned is called. */
export function followTools(source: ToolSource, host: ToolSourceHost): () => void {
  const added = new Map<Tool, () => void>();
  take();
  return source.onToolsChange((problem) => {
    if (problem !== undefined) return host.failed(problem);
    const change = take();
    if (change !== "") host.changed(change);
  });

  function take(): string {
    const wanted = new Set(source.tools);
    const gone = [...added].filter(([tool]) => !wanted.has(tool));
    for (const [tool, remove] of gone) {
      remove();
      added.delete(tool);
    }
    const come = [...wanted].filter((tool) => !added.has(tool));
    for (const tool of come) added.set(tool, host.add(tool));
    return describeChange(
      gone.map(([tool]) => tool.name),
      come.map((tool) => tool.name),
    );
  }
}

function describeChange(gone: readonly string[], come: readonly string[]): string {
  const lists = {
    added: come.filter((name) => !gone.includes(name)),
    removed: gone.filter((name) => !come.includes(name)),
    changed: come.filter((name) => gone.includes(name)),
  };
  return Object.entries(lists)
    .flatMap(([what, names]) => (names.length === 0 ? [] : [`${what} ${names.join(", ")}`]))
    .join("; ");
}
