import { COUNT } from "../field-rules.ts";
import type { Tool } from "../tool.ts";
import { unreadable } from "./file-problem.ts";
import { countField, textField } from "./input.ts";
import { takeLines, type TakenLines } from "./take-lines.ts";
import { checkToolOptions, ROOT } from "./tool-options.ts";
import { Workspace } from "./workspace.ts";

export interface ReadFileOptions {
  /** The folder the tool is confined to. */
  readonly root: string;
  /** The most one call returns, in bytes; 65,536. */
  readonly maxBytes?: number;
}

/** `read_file`: the lines of a text file. @throws HarnessError HARNESS_OPTION_INVALID */
export function readFileTool(options: ReadFileOptions): Tool {
  checkToolOptions(options, { root: ROOT, maxBytes: COUNT });
  const { root, maxBytes = 65_536 } = options;
  const workspace = new Workspace(root);
  return {
    name: "read_file",
    description:
      "Reads a text file of the working directory. Long files are cut, with a note; read on with offset (a line number from 1) and limit (a number of lines).",
    inputSchema: {
      type: "object",
      properties: {
        file_path: { type: "string", minLength: 1, description: "Path relative to the working directory" },
        offset: { type: "integer", minimum: 1, description: "First line, from 1" },
        limit: { type: "integer", minimum: 1, description: "Number of lines; 2000 by default" },
      },
      required: ["file_path"],
      additionalProperties: false,
    },
    risk: "low",
    async execute({ input, signal }) {
      const given = textField(input, "file_path");
      const offset = countField(input, "offset", 1);
      const limit = countField(input, "limit", DEFAULT_LINES);
      const { handle, stats } = await workspace.openForReading(given);
      try {
        const taken = await takeLines(handle, { offset, limit, maxBytes, signal });
        if (taken === "binary") throw binaryFile(given, stats.size);
        return taken.text + note(taken, offset, stats.size);
      } finally {
        await handle.close();
      }
    },
  };
}

function binaryFile(given: string, size: number): Error {
  return unreadable(given, `is a binary file of ${size} bytes; only text can be read`);
}

const DEFAULT_LINES = 2_000;

function note({ text, nextLine, end }: TakenLines, offset: number, size: number): string {
  if (end === "file") {
    if (text !== "") return "";
    return size === 0
      ? "[the file is empty]"
      : `[the file has ${nextLine - 1} lines; offset ${offset} is past its end]`;
  }
  const gap = text.endsWith("\n") || text === "" ? "" : "\n";
  if (end === "size" && nextLine === offset) {
    return `${gap}[cut within line ${offset}; the file has ${size} bytes]`;
  }
  return `${gap}[cut before line ${nextLine}; the file has ${size} bytes: read on with offset ${nextLine}]`;
}
