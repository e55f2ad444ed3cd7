import type { ApprovalRequestPayload, JsonValue, Redactor } from "@hookscope/hooks";

/**
 * A question as it stands on a terminal. Everything in it may come from a model: secrets are taken out, then control
 * characters escaped, then long values cut in the middle, so that what is left out is seen to be.
 */
export function describeQuestion(request: ApprovalRequestPayload, redact: Redactor): string {
  const lines = [
    `Approval: ${inline(redact.text(request.question))}`,
    `  tool  ${inline(request.tool_name)} (risk ${request.risk}), asked by ${inline(request.hook)}`,
    ...describeArguments(redact.value(request.args)),
  ];
  return `\n${lines.join("\n")}\n`;
}

const MAX_VALUE = 1_000;
const MAX_ARGUMENTS = 20;

function describeArguments(args: { readonly [key: string]: JsonValue }): readonly string[] {
  const entries = Object.entries(args);
  const lines = entries
    .slice(0, MAX_ARGUMENTS)
    .map(
      ([key, value]) => `  ${inline(key, 100)}: ${inline(typeof value === "string" ? value : JSON.stringify(value))}`,
    );
  const rest = entries.length - lines.length;
  return rest === 0 ? lines : [...lines, `  [${rest} further arguments not shown]`];
}

/** One line, whatever is in it. */
function inline(text: string, most: number = MAX_VALUE): string {
  const escaped = escapeControls(text);
  if (escaped.length <= most) return escaped;
  const half = Math.floor(most / 2);
  const omitted = escaped.length - 2 * half;
  return `${escaped.slice(0, half)} [… ${omitted} characters left out …] ${escaped.slice(-half)}`;
}

/** Controls, invisible and direction-changing characters, line separators, lone surrogates, private use. */
function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === "\n") return String.raw`\n`;
    if (character === "\t") return String.raw`\t`;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
