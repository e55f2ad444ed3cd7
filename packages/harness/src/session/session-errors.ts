import { HarnessError } from "../errors.ts";

export function readOnly(id: string): HarnessError {
  return new HarnessError("SESSION_NOT_WRITABLE", `session "${id}" was opened for reading only.`);
}

export function closed(id: string): HarnessError {
  return new HarnessError("SESSION_CLOSED", `session "${id}" was closed. Open it again.`);
}

export function busy(id: string): HarnessError {
  return new HarnessError("SESSION_BUSY", `a turn of session "${id}" is under way. Wait for it, or interrupt it.`);
}
