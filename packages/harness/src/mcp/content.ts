import type { CallToolResult } from "@modelcontextprotocol/client";

import type { ToolOutput } from "../tool.ts";

/** A server's result as a tool's: what is no text is named, with its type and size. */
export function readResult(result: CallToolResult): ToolOutput {
  const parts = result.content.map(describeBlock);
  const text = parts.length === 0 && result.structuredContent !== undefined ? [structured(result)] : parts;
  return { content: text.join("\n"), ...(result.isError === true ? { isError: true } : {}) };
}

function structured({ structuredContent }: CallToolResult): string {
  return JSON.stringify(structuredContent);
}

function describeBlock(block: CallToolResult["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}: ${block.mimeType}, ${size(block.data)} bytes]`;
    case "resource_link":
      return `[resource: ${block.uri}]`;
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : `[resource: ${block.resource.uri}, ${size(block.resource.blob)} bytes]`;
  }
}

function size(base64: string): number {
  return Buffer.byteLength(base64, "base64");
}
