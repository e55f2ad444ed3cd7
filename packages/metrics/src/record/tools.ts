import { BLOCK_CAUSES, TOOL_OUTCOMES } from "../definitions.ts";
import type { Families } from "../families.ts";
import type { BusObserver } from "./bus-observer.ts";

/** More agents than are named anywhere: names come from outside. */
const MOST_AGENTS = 100;

/** The tools known beforehand, so that their series start at 0 and a first block is an increase. */
export class KnownTools {
  readonly #families: Families;
  readonly #buses: BusObserver;
  readonly #tools = new Set<string>();
  readonly #agents = new Set<string>();

  constructor(families: Families, buses: BusObserver) {
    this.#families = families;
    this.#buses = buses;
    families.agent_tool_calls_blocked_total.onCollect(() => this.#touchBlocked());
  }

  register(tools: readonly string[], agent: string): void {
    for (const tool of tools) this.#tools.add(tool);
    this.agent(agent);
    for (const name of this.#agents) this.#touchCalls(name);
    for (const tool of tools) this.#families.agent_approvals_waiting.touch({ tool });
  }

  /** Called with the agent of every turn: a new one's series start at 0 too. */
  agent(agent: string): void {
    if (this.#agents.has(agent) || this.#agents.size >= MOST_AGENTS) return;
    this.#agents.add(agent);
    this.#touchCalls(agent);
  }

  #touchCalls(agent: string): void {
    for (const tool of this.#tools) {
      for (const outcome of Object.values(TOOL_OUTCOMES)) {
        this.#families.agent_tool_calls_total.touch({ tool, agent, outcome });
      }
    }
  }

  /** At the scrape, because hooks come and go. */
  #touchBlocked(): void {
    const blocked = this.#families.agent_tool_calls_blocked_total;
    const hooks = new Set<string>();
    for (const [, { point, hook }] of this.#buses.listings()) if (point === "pre_tool_call") hooks.add(hook);
    for (const agent of this.#agents) {
      for (const tool of this.#tools) {
        blocked.touch({ tool, hook: "permissions", cause: "permission", agent });
        for (const hook of hooks) for (const cause of HOOK_CAUSES) blocked.touch({ tool, hook, cause, agent });
      }
    }
  }
}

/** What can be laid at a hook's door. */
const HOOK_CAUSES = BLOCK_CAUSES.filter((cause) => cause !== "permission" && cause !== "mod");
