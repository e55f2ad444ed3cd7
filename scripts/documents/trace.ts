import { ATTRIBUTES, SPANS, type AttributeRow } from "@hookscope/hooks";

import { table } from "./table.ts";

const INTRODUCTION = `<!-- Generated from packages/hooks/src/attributes.ts by \`npm run docs:generate\`. Do not edit. -->

# What a trace holds

One trace per turn. Hooks have no semantic convention yet, so theirs are \`agent_hook.*\`; models and tools carry the
\`gen_ai.*\` names of the GenAI convention. A block is a decision, not an error: a span's status is ERROR only where
something threw, failed or took too long.

\`\`\`
message telegram                          an inbound message
├ pre_gateway_dispatch approval_policy    a hook: point and name
└ invoke_agent reviewer                   the turn
  ├ pre_llm_call project_memory
  ├ onTurnStart turn-counter              a mod's hook
  ├ chat some-model                       one attempt of one model call
  ├ post_api_request cost                 beside the model call, so that it does not inflate it
  ├ execute_tool shell                    from its permission check on
  │ ├ pre_tool_call approval_policy
  │ ├ approval shell                      time spent waiting for a person
  │ └ post_tool_call audit
  └ execute_tool agent
    └ invoke_agent explorer               a subagent's whole turn
\`\`\``;

/** docs/trace.md: every span and every attribute. */
export function traceDocument(): string {
  const spans = Object.entries(SPANS).map(([type, row]) => [type, `\`${row.name}\``, row.kind, row.description]);
  const attributes = Object.entries<AttributeRow>(ATTRIBUTES).map(([key, row]) => [
    `\`${key}\``,
    row.type,
    row.unit ?? "",
    row.on.join(", "),
    `${row.description}${row.content === true ? " Only where recording of content was asked for." : ""}`,
  ]);
  return `${[
    INTRODUCTION,
    "## Spans",
    table(["span", "name", "kind", "what it is"], spans),
    "## Attributes",
    table(["attribute", "type", "unit", "on", "what it says"], attributes),
  ].join("\n\n")}\n`;
}
