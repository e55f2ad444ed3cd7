import { stat } from "node:fs/promises";

import { describeFileProblem, unreadable } from "./file-problem.ts";
import type { Workspace } from "./workspace.ts";

/** @throws HarnessError PATH_OUTSIDE_WORKSPACE, TOOL_FILE_UNREADABLE where it is no folder */
export async function locateFolder(workspace: Workspace, given: string): Promise<string> {
  const path = await workspace.locate(given);
  const stats = await stat(path).catch((error: unknown) => {
    throw describeFileProblem(error, given, "read");
  });
  if (!stats.isDirectory()) throw unreadable(given, "is no folder");
  return path;
}
