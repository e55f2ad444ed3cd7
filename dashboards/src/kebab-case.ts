/** `ToolCallBlocked` as a file is named: `tool-call-blocked`. */
export function kebabCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
