import { HarnessError } from "../errors.ts";
import { COUNT } from "../field-rules.ts";
import { compileGlob, type GlobTest } from "../glob.ts";
import type { Tool } from "../tool.ts";
import { countField, optionalText } from "./input.ts";
import { locateFolder } from "./locate-folder.ts";
import { checkToolOptions, ROOT } from "./tool-options.ts";
import { walk, type WalkEntry } from "./walk.ts";
import { Workspace } from "./workspace.ts";

export interface ListFilesOptions {
  /** The folder the tool is confined to. */
  readonly root: string;
  /** The most entries one call returns; 1,000. */
  readonly maxEntries?: number;
}

/** `list_files`: what lies in a folder, by name. @throws HarnessError HARNESS_OPTION_INVALID */
export function listFilesTool(options: ListFilesOptions): Tool {
  checkToolOptions(options, { root: ROOT, maxEntries: COUNT });
  const { root, maxEntries = 1_000 } = options;
  const workspace = new Workspace(root);
  return {
    name: "list_files",
    description:
      "Lists files and folders of the working directory. Folders end in /, symbolic links in @ and are not followed; .git and node_modules are not entered. With pattern only matching files are listed, at any depth.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "A folder; the working directory by default" },
        pattern: {
          type: "string",
          minLength: 1,
          description: "A glob, for example src/**/*.ts; without / it is matched against names",
        },
        depth: { type: "integer", minimum: 1, description: "How deep to go; 2 by default, 20 with a pattern" },
      },
      additionalProperties: false,
    },
    risk: "low",
    async execute({ input, signal }) {
      const pattern = optionalText(input, "pattern");
      const test = pattern === undefined ? undefined : pathTest(pattern, "pattern");
      const folder = await locateFolder(workspace, optionalText(input, "path") ?? ".");
      const depth = countField(input, "depth", test === undefined ? 2 : MAX_DEPTH, MAX_DEPTH);
      const lines: string[] = [];
      for await (const entry of walk(folder, depth, signal)) {
        const path = workspace.display(entry.path);
        if (test !== undefined && (entry.kind.endsWith("folder") || !test(path))) continue;
        if (lines.length === maxEntries) return `${lines.join("\n")}\n[cut after ${maxEntries} entries]`;
        lines.push(path + MARKS[entry.kind]);
      }
      return lines.length === 0 ? "[nothing found]" : lines.join("\n");
    },
  };
}

/** A glob over paths from the root; one without a slash is matched against the name. @throws HarnessError TOOL_INPUT_INVALID */
export function pathTest(pattern: string, field: string): GlobTest {
  const test = compileGlob(pattern.replace(/^\.?\//, ""));
  if (test === undefined) throw new HarnessError("TOOL_INPUT_INVALID", `"${field}" is no usable glob: "${pattern}".`);
  return pattern.includes("/") ? test : (path) => test(path.slice(path.lastIndexOf("/") + 1));
}

const MAX_DEPTH = 20;

const MARKS: { readonly [Kind in WalkEntry["kind"]]: string } = {
  file: "",
  folder: "/",
  link: "@",
  other: " (no regular file)",
  "unreadable folder": "/ (cannot be read)",
};
