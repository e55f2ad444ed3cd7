import { HarnessError } from "../errors.ts";

/** What every provider takes as the name of a tool. */
const MAX_NAME_LENGTH = 64;

/** @throws HarnessError MCP_SERVER_INVALID */
export function checkServerName(name: string): void {
  if (typeof name === "string" && /^[A-Za-z0-9][\w-]*$/u.test(name) && !name.includes("__")) return;
  throw new HarnessError(
    "MCP_SERVER_INVALID",
    `an MCP server's name is ${JSON.stringify(name)}; it must be of letters, digits, "-" and single "_", and begin with a letter or digit.`,
  );
}

/** `mcp__<server>__<tool>`: what a provider would refuse is replaced, and what would be the same twice is numbered. */
export function toolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const whole = `mcp__${server}__${tool.replaceAll(/[^\w-]/gu, "_")}`;
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : `_${number}`;
    const name = whole.slice(0, MAX_NAME_LENGTH - ending.length) + ending;
    if (!taken.has(name)) return name;
  }
}
