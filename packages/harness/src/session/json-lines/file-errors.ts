import { HarnessError } from "../../errors.ts";

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function notWritable(path: string, error: unknown): HarnessError {
  return new HarnessError("SESSION_NOT_WRITABLE", `${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
}

export function unreadable(path: string, error: unknown): HarnessError {
  return new HarnessError("SESSION_FILE_INVALID", `${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && Object.hasOwn(REASONS, code)) return `${REASONS[code]} (${code})`;
  return error instanceof Error ? error.message : String(error);
}

const REASONS: { readonly [code: string]: string } = {
  EACCES: "permission was denied",
  EDQUOT: "the quota is used up",
  EFBIG: "it would be larger than a file may be",
  EISDIR: "it is a directory",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is no directory",
  EPERM: "the operation is not permitted",
  ENOENT: "a part of the path is not there, and cannot be made",
  EROFS: "the file system is read-only",
};
