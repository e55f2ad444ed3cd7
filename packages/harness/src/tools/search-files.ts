import { createSystemClock, type Clock } from "@hookscope/hooks";

import { COUNT, DURATION_MS } from "../field-rules.ts";
import type { GlobTest } from "../glob.ts";
import type { Tool } from "../tool.ts";
import { countField, optionalText, textField } from "./input.ts";
import { pathTest } from "./list-files.ts";
import { locateFolder } from "./locate-folder.ts";
import { RegexSearch } from "./regex-search.ts";
import { looksBinary } from "./take-lines.ts";
import { checkToolOptions, CLOCK, ROOT } from "./tool-options.ts";
import { walk } from "./walk.ts";
import { Workspace } from "./workspace.ts";

export interface SearchFilesOptions {
  /** The folder the tool is confined to. */
  readonly root: string;
  /** Larger files are left out, in bytes; 2 MiB. */
  readonly maxFileBytes?: number;
  /** How long the pattern may take on one file, in milliseconds; 2,000. */
  readonly patternLimitMs?: number;
  readonly clock?: Clock;
}

/** `search_files`: lines that match a regular expression. @throws HarnessError HARNESS_OPTION_INVALID */
export function searchFilesTool(options: SearchFilesOptions): Tool {
  checkToolOptions(options, { root: ROOT, maxFileBytes: COUNT, patternLimitMs: DURATION_MS, clock: CLOCK });
  const { root, maxFileBytes = 2 * 1024 * 1024, patternLimitMs = 2_000, clock = createSystemClock() } = options;
  const workspace = new Workspace(root);
  return {
    name: "search_files",
    description:
      "Searches the text files of the working directory line by line for a JavaScript regular expression. Gives path:line: text. .git and node_modules are not searched, symbolic links not followed.",
    inputSchema: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, description: "A regular expression" },
        path: { type: "string", minLength: 1, description: "A folder; the working directory by default" },
        glob: { type: "string", minLength: 1, description: "Only files that match, for example *.ts or src/**/*.ts" },
        max: { type: "integer", minimum: 1, maximum: 1000, description: "The most lines to give; 100 by default" },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    risk: "low",
    async execute({ input, signal }) {
      const glob = optionalText(input, "glob");
      const folder = await locateFolder(workspace, optionalText(input, "path") ?? ".");
      const pattern = textField(input, "pattern");
      const search = new RegexSearch({ pattern, limitMs: patternLimitMs, clock, signal });
      try {
        return await searchFolder(workspace, search, {
          folder,
          test: glob === undefined ? undefined : pathTest(glob, "glob"),
          max: countField(input, "max", 100, 1_000),
          maxFileBytes,
          signal,
        });
      } finally {
        await search.close();
      }
    },
  };
}

interface Wanted {
  readonly folder: string;
  readonly test: GlobTest | undefined;
  readonly max: number;
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
}

async function searchFolder(workspace: Workspace, search: RegexSearch, wanted: Wanted): Promise<string> {
  const { folder, test, max, maxFileBytes, signal } = wanted;
  const lines: string[] = [];
  let leftOut = 0;
  for await (const { path, kind } of walk(folder, MAX_DEPTH, signal)) {
    const name = workspace.display(path);
    if (kind !== "file" || test?.(name) === false) continue;
    const text = await readText(workspace, path, maxFileBytes);
    if (text === undefined) leftOut += 1;
    // One more than is given tells whether there are more.
    else
      for (const found of await search.linesOf(text, max - lines.length + 1, name)) {
        lines.push(`${name}:${found.line}: ${cut(found.text)}`);
      }
    if (lines.length > max) return [...lines.slice(0, max), `[cut after ${max} lines]`].join("\n");
  }
  if (lines.length === 0) lines.push("[nothing found]");
  if (leftOut > 0) lines.push(`[${leftOut} binary, unreadable or too large files left out]`);
  return lines.join("\n");
}

async function readText(workspace: Workspace, path: string, maxFileBytes: number): Promise<string | undefined> {
  const file = await workspace.openForReading(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    if (file.stats.size > maxFileBytes) return undefined;
    const bytes = await file.handle.readFile();
    return looksBinary(bytes) ? undefined : bytes.toString("utf8");
  } finally {
    await file.handle.close();
  }
}

const MAX_DEPTH = 50;
const MAX_LINE = 300;

function cut(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)}… [${line.length} characters]`;
}
