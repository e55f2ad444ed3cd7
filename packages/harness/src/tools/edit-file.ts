import { isUtf8 } from "node:buffer";

import { HarnessError } from "../errors.ts";
import { COUNT } from "../field-rules.ts";
import type { Tool } from "../tool.ts";
import { withFileLock } from "./file-lock.ts";
import { unreadable } from "./file-problem.ts";
import { textField } from "./input.ts";
import { replaceFile } from "./replace-file.ts";
import { looksBinary } from "./take-lines.ts";
import { checkToolOptions, ROOT } from "./tool-options.ts";
import { Workspace } from "./workspace.ts";

export interface EditFileOptions {
  /** The folder the tool is confined to. */
  readonly root: string;
  /** Larger files are refused, in bytes; 10 MiB. */
  readonly maxFileBytes?: number;
}

/** `edit_file`: replaces an exact text in a file, atomically. @throws HarnessError HARNESS_OPTION_INVALID */
export function editFileTool(options: EditFileOptions): Tool {
  checkToolOptions(options, { root: ROOT, maxFileBytes: COUNT });
  const { root, maxFileBytes = 10 * 1024 * 1024 } = options;
  const workspace = new Workspace(root);
  return {
    name: "edit_file",
    description:
      "Replaces old_text by new_text in a text file of the working directory. old_text must be exact, white space included, and occur once, unless replace_all is true.",
    inputSchema: {
      type: "object",
      properties: {
        file_path: { type: "string", minLength: 1, description: "Path relative to the working directory" },
        old_text: { type: "string", minLength: 1, description: "The exact text to replace" },
        new_text: { type: "string", description: "What to put in its place" },
        replace_all: { type: "boolean", description: "Replace every occurrence; false by default" },
      },
      required: ["file_path", "old_text", "new_text"],
      additionalProperties: false,
    },
    risk: "medium",
    async execute({ input, signal }) {
      const given = textField(input, "file_path");
      const edit = {
        given,
        oldText: textField(input, "old_text"),
        newText: textField(input, "new_text"),
        all: input["replace_all"] === true,
      };
      return withFileLock(await workspace.locate(given), async () => {
        const content = await readWhole(workspace, given, maxFileBytes);
        const parts = split(content, edit);
        await replaceFile(workspace, given, parts.join(edit.newText), signal);
        const count = parts.length - 1;
        return `Edited ${given}: ${count} ${count === 1 ? "occurrence" : "occurrences"} replaced.`;
      });
    },
  };
}

async function readWhole(workspace: Workspace, given: string, maxFileBytes: number): Promise<string> {
  const { handle, stats } = await workspace.openForReading(given);
  try {
    if (stats.size > maxFileBytes) {
      throw unreadable(given, `has ${stats.size} bytes; files of more than ${maxFileBytes} cannot be edited`);
    }
    const bytes = await handle.readFile();
    if (looksBinary(bytes))
      throw unreadable(given, `is a binary file of ${bytes.length} bytes; only text can be edited`);
    // What is not UTF-8 would come back changed where nobody edited it.
    if (!isUtf8(bytes)) throw unreadable(given, "is not UTF-8; it cannot be edited without changing it");
    return bytes.toString("utf8");
  } finally {
    await handle.close();
  }
}

interface Edit {
  readonly given: string;
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

/** The content without the old text: the new one joins the parts. */
function split(content: string, { given, oldText, newText, all }: Edit): readonly string[] {
  if (oldText === "") throw unusable("old_text is empty; use write_file for a whole file.");
  if (oldText === newText) throw unusable("old_text and new_text are the same; there is nothing to change.");
  const parts = content.split(oldText);
  const count = parts.length - 1;
  if (count === 0) {
    throw unusable(
      `old_text does not occur in "${given}". Read the file and give the text exactly, white space included.`,
    );
  }
  if (count > 1 && !all) {
    throw unusable(
      `old_text occurs ${count} times in "${given}". Give more of the text around it, or set replace_all.`,
    );
  }
  return parts;
}

function unusable(sentence: string): HarnessError {
  return new HarnessError("TOOL_INPUT_INVALID", sentence);
}
