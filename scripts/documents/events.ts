import { AGENT_EVENT_TYPES, AGENT_EVENTS, type AgentEventType } from "@hookscope/harness";

import { table } from "./table.ts";

const INTRODUCTION = `<!-- Generated from packages/harness/src/event-catalogue.ts by \`npm run docs:generate\`. Do not edit. -->

# Events

What the loop tells while it works: \`harness.events.subscribe(listener)\` for all of them, \`harness.events.on(type, listener)\`
for one. They come synchronously, in order, as frozen snapshots; a listener that throws is isolated, and becomes a
\`mod_error\`. Watching changes nothing: what changes the loop is a [mod](mods.md), what decides on policy a
[hook](write-a-hook.md).

Every event carries \`type\`, \`timestamp\` (milliseconds since the epoch) and \`runId\` (the turn's id), and, where it belongs to
one, \`round\` and \`spanId\`: a log line, an event and a span can be joined. A *round* is one model call with its tool calls:
what its mods do around it, from onTurnStart to what decides whether another follows, belongs to it, and so does the
\`run_error\` or \`interrupted\` that ends a turn within it. \`spanId\` is of the turn where no other span says more. The
names \`turn_start\`, \`turn_end\` and \`turnNumber\` are kept from the harness Hookscope follows, which calls a round a turn.`;

const CAUSES: { readonly [Cause in (typeof AGENT_EVENTS)[AgentEventType]["by"]]: string } = {
  loop: "the loop",
  mod: "a mod that comes with Hookscope",
  host: "a host or a mod, through `ctx.emit`",
};

/** docs/events.md: an overview of all events, then each one's fields. */
export function eventsDocument(): string {
  const overview = table(
    ["event", "fires", "caused by"],
    AGENT_EVENT_TYPES.map((type) => [`[${type}](#${type})`, AGENT_EVENTS[type].fires, CAUSES[AGENT_EVENTS[type].by]]),
  );
  return `${[INTRODUCTION, overview, ...AGENT_EVENT_TYPES.map(section)].join("\n\n")}\n`;
}

function section(type: AgentEventType): string {
  const { fires, payload } = AGENT_EVENTS[type];
  const fields = Object.entries(payload).map(([field, meaning]) => [`\`${field}\``, meaning]);
  const body = fields.length === 0 ? "It carries nothing else." : table(["field", "meaning"], fields);
  return `## ${type}\n\nFires ${fires}.\n\n${body}`;
}
