import type { Tool } from "../tool.ts";
import { editFileTool } from "./edit-file.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { shellTool } from "./shell.ts";
import { checkToolOptions, ENVIRONMENT, ROOT } from "./tool-options.ts";
import { writeFileTool } from "./write-file.ts";

export interface BuiltInToolOptions {
  /** The folder that file tools are confined to and commands start in. */
  readonly root: string;
  /** Variables for commands, beside PATH, HOME, LANG, TERM, TMPDIR and USER. */
  readonly env?: Readonly<Record<string, string>>;
}

/** All six, with their usual limits. @throws HarnessError HARNESS_OPTION_INVALID when the root is no folder */
export function builtInTools(options: BuiltInToolOptions): readonly Tool[] {
  checkToolOptions(options, { root: ROOT, env: ENVIRONMENT });
  const { root, env = {} } = options;
  return [
    readFileTool({ root }),
    writeFileTool({ root }),
    editFileTool({ root }),
    listFilesTool({ root }),
    searchFilesTool({ root }),
    shellTool({ root, env }),
  ];
}
