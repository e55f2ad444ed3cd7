import type { Message } from "./messages.ts";
import { findUnserialisable } from "./mod-state.ts";
import type { AgentState } from "./state.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * What is wrong with a state that a mod returned, as a sentence; undefined where nothing is. It would be committed, so that
 * one mod's fault must not cost the round. Only what differs from the given state is looked at.
 */
export function problemWithState(value: Fields, given: AgentState | undefined): string | undefined {
  const { sessionId, messages, modState } = value;
  if (!Array.isArray(messages) || !isFields(modState) || typeof sessionId !== "string") return "it is no AgentState.";
  if (given !== undefined && sessionId !== given.sessionId) {
    return `its sessionId is "${sessionId}", and the session is "${given.sessionId}".`;
  }
  return problemWithMessages(messages, given?.messages) ?? problemWithModState(modState, given?.modState ?? {});
}

/** The same for messages. */
export function problemWithMessages(
  messages: readonly unknown[],
  given: readonly Message[] | undefined,
): string | undefined {
  if (messages === given) return undefined;
  for (const [index, message] of messages.entries()) {
    if (message === given?.[index]) continue;
    const problem = problemWithMessage(message);
    if (problem !== undefined) return `messages[${index}] ${problem}.`;
  }
  return undefined;
}

function problemWithModState(modState: Fields, given: Fields): string | undefined {
  if (modState === given) return undefined;
  for (const [modId, value] of Object.entries(modState)) {
    if (value === undefined || value === given[modId]) continue;
    const problem = findUnserialisable(value, "value", []);
    if (problem !== undefined) return `MOD_STATE_INVALID: modState of mod "${modId}": ${problem}`;
  }
  return undefined;
}

function problemWithMessage(message: unknown): string | undefined {
  if (!isFields(message)) return "is no message";
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") return `has the role ${JSON.stringify(role)}, not user or assistant`;
  if (!Array.isArray(content)) return "has no list of blocks as its content";
  const blocks = BLOCKS[role];
  for (const [index, block] of (content as readonly unknown[]).entries()) {
    const type = isFields(block) ? block["type"] : undefined;
    const fits = typeof type === "string" && Object.hasOwn(blocks, type) ? blocks[type] : undefined;
    if (fits?.(block as Fields) !== true) {
      return `has a block, content[${index}], that is none of ${Object.keys(blocks).join(", ")}`;
    }
  }
  return undefined;
}

type Blocks = { readonly [type: string]: (block: Fields) => boolean };

const isText = ({ text }: Fields): boolean => typeof text === "string";

/** The blocks that a message of each role may hold. */
const BLOCKS: { readonly [Role in Message["role"]]: Blocks } = {
  user: {
    text: isText,
    tool_result: ({ toolCallId, toolName, content }) =>
      typeof toolCallId === "string" &&
      typeof toolName === "string" &&
      Array.isArray(content) &&
      content.every((block) => isFields(block) && block["type"] === "text" && isText(block)),
  },
  assistant: {
    text: isText,
    thinking: isText,
    tool_use: ({ id, name, input }) => typeof id === "string" && typeof name === "string" && isFields(input),
    provider: ({ name }) => typeof name === "string",
  },
};

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
