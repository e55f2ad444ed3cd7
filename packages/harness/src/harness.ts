import type { HookBus } from "@hookscope/hooks";
import type { Context } from "@opentelemetry/api";

import { describeThrown } from "./describe-thrown.ts";
import { HarnessError } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import { finalizeSession, type OpenSession } from "./finalize-session.ts";
import { receiveMessage, type InboundMessage, type Received } from "./inbound.ts";
import { Ledger } from "./ledger.ts";
import type { AgentMod } from "./mods.ts";
import { checkMessage, checkRequest } from "./option-rules.ts";
import type { HarnessOptions } from "./options.ts";
import { loadPlugins } from "./plugin.ts";
import type { RunResult } from "./run-result.ts";
import type { TurnScope } from "./scope.ts";
import type { Session } from "./session/session.ts";
import { startingState } from "./session/turn-session.ts";
import { createSetup, type HarnessSetup } from "./setup.ts";
import type { AgentState } from "./state.ts";
import { AGENT_TOOL_NAME, createAgentTool } from "./subagent.ts";
import { followTools, type ToolSource } from "./tool-source.ts";
import type { Tool } from "./tool.ts";
import { runTurn } from "./turn.ts";

export interface RunRequest {
  /** The conversation so far; default: the session's, or a new one. */
  readonly state?: AgentState | undefined;
  /** Where the turn is recorded; default: the harness's. */
  readonly session?: Session | undefined;
  /** The user's message; without one the turn works on what the state holds. */
  readonly userInput?: string | undefined;
  /** Aborting interrupts the turn: it ends properly, with stopReason `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** The context the turn's span goes under; default: a trace of its own, linked to the active span. */
  readonly parent?: Context | undefined;
}

export interface Harness {
  /** Runs one turn. Resolves whatever happens inside it. @throws HarnessError HARNESS_CLOSED, HARNESS_OPTION_INVALID, SESSION_* */
  run(request?: RunRequest): Promise<RunResult>;
  /**
   * Takes an inbound message through the gateway points, then runs its turn.
   *
   * @throws HarnessError HARNESS_CLOSED, HARNESS_OPTION_INVALID, SESSION_*; what the message's `resolve` throws
   */
  receive(message: InboundMessage): Promise<Received>;
  /**
   * Tears the sessions down: interrupts what runs, then `on_session_finalize` for each session that had a turn. Last, what
   * plugins and loaded mods registered is taken away, from a bus that others use too. Never rejects.
   */
  close(reason?: string): Promise<void>;
  readonly bus: HookBus;
  readonly events: EventBus;
}

/** @throws HarnessError, HookError where an option cannot be used */
export function createHarness(options: HarnessOptions): Harness {
  return new AgentHarness(createSetup(options));
}

class AgentHarness implements Harness {
  readonly #setup: HarnessSetup;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #running = new Map<Promise<unknown>, AbortController>();
  #closed: Promise<void> | undefined;
  /** What is registered with others for as long as the harness is open. */
  readonly #registrations = new Ledger();

  constructor(setup: HarnessSetup) {
    this.#setup = setup;
    try {
      this.#register();
    } catch (error) {
      this.#registrations.dispose();
      throw error;
    }
  }

  #register(): void {
    const { options, bus, tools, mods, events, clock } = this.#setup;
    const registrations = this.#registrations;
    if (options.subagents !== undefined && !tools.has(AGENT_TOOL_NAME)) tools.add(createAgentTool(options.subagents));
    for (const mod of mods.all()) this.#addModTools(mod);
    for (const source of options.toolSources ?? []) registrations.add(this.#follow(source));
    const unwatchMode = options.permissions?.onModeChange?.((mode) =>
      events.emit({ type: "permission_mode_changed", mode, timestamp: clock.now(), runId: "" }),
    );
    if (unwatchMode !== undefined) registrations.add(unwatchMode);
    registrations.add(
      loadPlugins(options.plugins ?? [], {
        registerHook: (hook) => bus.register(hook),
        registerMod: (mod) => this.#addMod(mod),
        subscribe: (type, listener, modId) => events.on(type, listener, { modId }),
        addTool: (tool) => tools.add(tool),
      }),
    );
    options.loadedMods?.attach({
      registerMod: (mod) => this.#addMod(mod),
      subscribe: (type, listener, modId) => events.on(type, listener, { modId }),
      addTool: (modId, tool) => this.#addModTool(modId, tool),
      modFailed: (modId, hook, error) => this.#modFailed(modId, hook, error),
    });
    if (options.loadedMods !== undefined) registrations.add(() => options.loadedMods?.dispose());
  }

  get bus(): HookBus {
    return this.#setup.bus;
  }

  get events(): EventBus {
    return this.#setup.events;
  }

  async run(request: RunRequest = {}): Promise<RunResult> {
    checkRequest(request);
    return this.#track(request.signal, async (signal) => {
      const { userInput, parent, session = this.#setup.options.session } = request;
      const state = startingState(session, request.state);
      const onOpen = (scope: TurnScope): void => this.#remember(scope);
      return runTurn(this.#setup, { state, userInput, session, signal, parent, onOpen });
    });
  }

  async receive(message: InboundMessage): Promise<Received> {
    checkMessage(message);
    return this.#track(message.signal, (signal) =>
      receiveMessage(this.#setup, { ...message, signal }, (scope) => this.#remember(scope)),
    );
  }

  close(reason = "closed"): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  async #close(reason: string): Promise<void> {
    for (const controller of this.#running.values()) controller.abort(new Error(reason));
    await Promise.allSettled(this.#running.keys());
    for (const session of this.#sessions.values()) await finalizeSession(this.#setup, session, reason);
    this.#sessions.clear();
    for (const error of this.#registrations.dispose()) {
      const message = `a registration of a harness that closed could not be taken away: ${error.message}`;
      this.#setup.core.log.warn("close", message);
    }
  }

  #track<Value>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    if (this.#closed !== undefined) {
      return Promise.reject(new HarnessError("HARNESS_CLOSED", "the harness was closed; make a new one."));
    }
    const controller = new AbortController();
    const both = signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]);
    const running = work(both);
    this.#running.set(running, controller);
    const forget = (): void => void this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  #remember(scope: TurnScope): void {
    this.#sessions.set(scope.turn.session_id, { turn: scope.turn, link: scope.span.link(), session: scope.session });
  }

  #follow(source: ToolSource): () => void {
    const { clock, events } = this.#setup;
    const { name } = source;
    return followTools(source, {
      add: (tool) => this.#addModTool(name, tool),
      changed: (change) => {
        const message = `the tools of ${name} changed: ${change}`;
        events.emit({ type: "notice", level: "info", message, timestamp: clock.now(), runId: "" });
      },
      failed: (problem) => this.#modFailed(name, "tools", problem),
    });
  }

  #addMod(mod: AgentMod): () => void {
    const remove = this.#setup.mods.add(mod);
    const removeTools = this.#addModTools(mod);
    return () => {
      remove();
      for (const removeTool of removeTools) removeTool();
    };
  }

  #addModTools({ id, tools = [] }: AgentMod): readonly (() => void)[] {
    return tools.map((tool) => this.#addModTool(id, tool));
  }

  /** A mod's tool that collides with another is left out, and said. */
  #addModTool(modId: string, tool: Tool): () => void {
    try {
      return this.#setup.tools.add(tool);
    } catch (error) {
      this.#setup.core.log.warn(
        `mod tool ${modId} ${tool?.name}`,
        `a tool of mod "${modId}" is left out: ${String(error)}`,
      );
      this.#modFailed(modId, "tools", error);
      return () => undefined;
    }
  }

  /** Outside a turn; within one it is the turn's to say. */
  #modFailed(modId: string, hook: string, error: unknown): void {
    const { core, clock, events } = this.#setup;
    const message = core.redactText(describeThrown(error));
    events.emit({ type: "mod_error", modId, hook, error: message, timestamp: clock.now(), runId: "" });
  }
}
