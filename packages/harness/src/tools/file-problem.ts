import { HarnessError } from "../errors.ts";

/** A failed file operation as a sentence for the model: its own path, never the machine's. */
export function describeFileProblem(error: unknown, given: string, action: "read" | "written"): HarnessError {
  if (error instanceof HarnessError) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // Opening without following links says ELOOP where the last part is one: it was put there after the check.
  if (code === "ELOOP") return outsideWorkspace(given);
  const problem = (code === undefined ? undefined : PROBLEMS[code]) ?? `cannot be ${action} (${code ?? String(error)})`;
  return unreadable(given, problem, error);
}

export function outsideWorkspace(given: string): HarnessError {
  return new HarnessError(
    "PATH_OUTSIDE_WORKSPACE",
    `"${given}" leads outside the working directory. Use a path inside it, relative to it.`,
  );
}

export function unreadable(given: string, problem: string, cause?: unknown): HarnessError {
  return new HarnessError("TOOL_FILE_UNREADABLE", `"${given}" ${problem}.`, { cause });
}

const PROBLEMS: { readonly [Code in string]: string } = {
  ENOENT: "does not exist",
  ENOTDIR: "has a file where its path needs a folder",
  EISDIR: "is a folder",
  EEXIST: "has a file where its path needs a folder",
  EACCES: "may not be accessed: permission denied",
  EPERM: "may not be accessed: not permitted",
  EROFS: "is on a read-only file system",
  ENOSPC: "cannot be written: the disk is full",
  EDQUOT: "cannot be written: the disk quota is used up",
  ENAMETOOLONG: "has too long a name",
  EMFILE: "cannot be opened: too many files are open",
};
