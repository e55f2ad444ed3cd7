import type { CallToolResult } from "@modelcontextprotocol/client";

import type { ToolOutput } from "../tool.ts";
import { OutputWindow } from "../tools/output-window.ts";

/** UTF-8 bytes of a result's text. */
const MAX_RESULT_BYTES = 1024 * 1024;

/**
 * A server's result as a tool's: what is no text is named, with its type and size. Of more than 1 MiB the beginning and the
 * end are kept, with a mark of how many bytes were left out.
 */
export function readResult(result: CallToolResult): ToolOutput {
  const parts = result.content.map(describeBlock);
  const text = parts.length === 0 && result.structuredContent !== undefined ? [structured(result)] : parts;
  return { content: withinLimit(text.join("\n")), ...(result.isError === true ? { isError: true } : {}) };
}

function withinLimit(text: string): string {
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES) return text;
  const window = new OutputWindow(MAX_RESULT_BYTES);
  window.push(Buffer.from(text));
  return window.text();
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
