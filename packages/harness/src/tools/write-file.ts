import type { Tool } from "../tool.ts";
import { withFileLock } from "./file-lock.ts";
import { textField } from "./input.ts";
import { replaceFile } from "./replace-file.ts";
import { checkToolOptions, ROOT } from "./tool-options.ts";
import { Workspace } from "./workspace.ts";

/** `write_file`: a whole file, atomically. @throws HarnessError HARNESS_OPTION_INVALID */
export function writeFileTool(options: { readonly root: string }): Tool {
  checkToolOptions(options, { root: ROOT });
  const workspace = new Workspace(options.root);
  return {
    name: "write_file",
    description:
      "Writes a text file of the working directory, new or replaced as a whole. Missing folders are made. To change a part of a file use edit_file.",
    inputSchema: {
      type: "object",
      properties: {
        file_path: { type: "string", minLength: 1, description: "Path relative to the working directory" },
        content: { type: "string", description: "The whole new content" },
      },
      required: ["file_path", "content"],
      additionalProperties: false,
    },
    risk: "medium",
    async execute({ input, signal }) {
      const given = textField(input, "file_path");
      const content = textField(input, "content");
      const created = await withFileLock(await workspace.locate(given), () =>
        replaceFile(workspace, given, content, signal),
      );
      return `${created ? "Created" : "Replaced"} ${given}: ${Buffer.byteLength(content)} bytes.`;
    },
  };
}
