import type { JsonValue } from "@hookscope/hooks";

import type { AgentEventOf, AgentEventType } from "../events.ts";
import type { MessageDelivery } from "../message-queue.ts";
import type { ModSession } from "../mod-session.ts";
import type { AgentMod, ModHooks } from "../mods.ts";
import type { Dispose } from "../plugin.ts";
import type { Tool } from "../tool.ts";

/** What a loadable mod's factory is given. What registers gives back what takes the registration away again, once. */
export interface ModApi {
  /** The file's name without its ending; the mod's id in spans, events and modState. */
  readonly name: string;
  /** The workspace. */
  readonly cwd: string;
  /** The mod's part of the session; undefined where no session is kept, and outside one. Hooks have it as `ctx.session`. */
  readonly session: ModSession | undefined;
  /** Between loadable mods; the loop's own events are `on`'s. */
  readonly events: ModChannel;
  /** Lifecycle hooks. The id is the mod's name unless they bring one; a second call's is `<name>/2`. */
  hooks(hooks: ModHooks & Partial<AgentMod>): Dispose;
  /** Watches events of the loop. */
  on<Type extends AgentEventType>(type: Type, listener: (event: AgentEventOf<Type>) => void): Dispose;
  /** A name that is taken already becomes a `mod_error`, and the tool is left out. */
  addTool(tool: Tool): Dispose;
  queueMessage(message: { readonly content: string; readonly deliverAs: MessageDelivery }): void;
  /** Runs a program without a shell, in a process group of its own. */
  exec(command: string, args?: readonly string[], options?: ExecOptions): Promise<ExecResult>;
}

export type ModFactory = (cmd: ModApi) => void | Promise<void>;

export interface ModChannel {
  /** Calls each listener at once, in the order they came. */
  emit(type: string, data?: JsonValue): void;
  on(type: string, listener: (data: JsonValue | undefined) => void): Dispose;
}

export interface ExecOptions {
  /** Past it the whole process group is ended; 60,000 ms. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  /** null where a signal ended it. */
  readonly code: number | null;
  readonly timedOut: boolean;
}
