import { createHookBus, defineHook, HOOK_POINT_NAMES, type Hook, type HookBus, type HookPoint } from "@hookscope/hooks";
import {
  collectWarnings,
  createFakeClock,
  createScriptedModel,
  type FakeClock,
  type Script,
  type ScriptedModel,
  type WarningCollector,
} from "@hookscope/testing";

import {
  createHarness,
  MOD_HOOK_NAMES,
  type AgentEvent,
  type AgentMod,
  type Approver,
  type Harness,
  type HarnessOptions,
  type Permissions,
  type RunRequest,
  type RunResult,
  type Tool,
} from "../../src/index.ts";
import { eventEntry, Log, type LogOptions } from "./log.ts";

export interface RigOptions extends Omit<HarnessOptions, "model" | "bus" | "mods" | "tools">, LogOptions {
  readonly steps?: Script;
  readonly scripts?: Parameters<typeof createScriptedModel>[0]["scripts"];
  readonly model?: HarnessOptions["model"];
  readonly tools?: readonly Tool[];
  /** Registered after the hook that watches; each writes `● <point> <name>`. */
  readonly hooks?: readonly Hook[];
  /** Registered after the mod that watches; each writes `◆ <hook> <id>`. */
  readonly mods?: readonly AgentMod[];
  /** Where the watching hook is; all points but those whose hooks change how a reply is streamed. */
  readonly watch?: readonly HookPoint[];
  /** Whether a mod named `watcher` writes each of its hooks; true. */
  readonly watchMods?: boolean;
  readonly clock?: FakeClock;
}

export interface Rig {
  readonly harness: Harness;
  readonly bus: HookBus;
  readonly clock: FakeClock;
  readonly model: ScriptedModel;
  readonly log: Log;
  readonly events: readonly AgentEvent[];
  readonly warnings: WarningCollector;
  /** Runs a turn that the log's `interruptAt` interrupts. */
  run(userInput?: string, more?: RunRequest): Promise<RunResult>;
}

/** A harness that writes all it does into one log. */
export function createRig(options: RigOptions = {}): Rig {
  const { steps, scripts, tools, hooks = [], mods = [], watch, watchMods, interruptAt, hangAt, ...rest } = options;
  const { clock = createFakeClock() } = options;
  const log = new Log({ interruptAt, hangAt });
  const warnings = collectWarnings();
  const bus = createHookBus({ clock, logger: warnings });
  if (watch === undefined || watch.length > 0) bus.register(watchingHook(log, watch ?? WATCHED));
  for (const hook of hooks) bus.register(loggedHook(log, hook));
  const model = createScriptedModel({ clock, ...(steps && { steps }), ...(scripts && { scripts }) });
  const harness = createHarness({
    ...rest,
    model: options.model ?? loggedModel(log, model),
    bus,
    tools: (tools ?? []).map((tool) => loggedTool(log, tool)),
    mods: [...(watchMods === false ? [] : [watchingMod(log)]), ...mods.map((mod) => loggedMod(log, mod))],
    onCommit: async (state) => {
      await log.write("■ commit");
      await options.onCommit?.(state);
    },
    ...(options.permissions && { permissions: loggedPermissions(log, options.permissions) }),
    ...(options.approver && { approver: loggedApprover(log, options.approver) }),
  });
  const events: AgentEvent[] = [];
  harness.events.subscribe((event) => {
    events.push(event);
    const entry = eventEntry(event);
    if (entry !== undefined) void log.write(entry);
  });
  return {
    harness,
    bus,
    clock,
    model,
    log,
    events,
    warnings,
    run: (userInput = "hello", more = {}) => harness.run({ userInput, signal: log.interruption.signal, ...more }),
  };
}

const WATCHED: readonly HookPoint[] = HOOK_POINT_NAMES.filter(
  (point) => point !== "on_stream_delta" && point !== "transform_llm_output",
);

function watchingHook(log: Log, points: readonly HookPoint[]): Hook {
  return { name: "watch", points, call: ({ point }) => log.write(`● ${point}`) };
}

function loggedHook(log: Log, hook: Hook): Hook {
  return {
    ...hook,
    call: (event, context) => log.write(`● ${event.point} ${hook.name}`) ?? hook.call(event, context),
  };
}

function watchingMod(log: Log): AgentMod {
  return loggedMod(log, {
    id: "watcher",
    onTurnStart: ({ state }) => state,
    appendSystemPrompt: () => undefined,
    transformContext: ({ messages }) => messages,
    beforeToolCall: () => undefined,
    afterToolCall: () => undefined,
    onTurnEnd: ({ state }) => state,
    shouldStopAfterTurn: () => false,
    prepareNextTurn: () => undefined,
    onStop: () => undefined,
    onRunEnd: () => undefined,
  });
}

function loggedMod(log: Log, mod: AgentMod): AgentMod {
  const logged: Record<string, unknown> = { ...mod };
  for (const name of MOD_HOOK_NAMES) {
    const hook = mod[name] as ((...given: unknown[]) => unknown) | undefined;
    if (hook === undefined) continue;
    logged[name] = (...given: unknown[]) => log.write(`◆ ${name} ${mod.id}`) ?? hook.apply(mod, given);
  }
  return logged as unknown as AgentMod;
}

function loggedModel(log: Log, model: ScriptedModel): ScriptedModel {
  return {
    ...model,
    stream(request) {
      void log.write("▶ model");
      return model.stream(request);
    },
  };
}

function loggedTool(log: Log, tool: Tool): Tool {
  return { ...tool, execute: (call) => log.write(`▶ ${tool.name}`) ?? tool.execute(call) };
}

function loggedPermissions(log: Log, permissions: Permissions): Permissions {
  const describes = permissions.generateDescription !== undefined;
  return {
    ...permissions,
    check: (request) => log.write(`▶ check ${request.toolName}`) ?? permissions.check(request),
    ...(describes && {
      generateDescription: async (request) =>
        (await log.write(`▶ describe ${request.toolName}`)) ?? permissions.generateDescription?.(request) ?? null,
    }),
  };
}

function loggedApprover(log: Log, approver: Approver): Approver {
  return { ask: (request, options) => log.write(`▶ ask ${request.question}`) ?? approver.ask(request, options) };
}

/** A tool that takes anything and gives back one text, or what a function makes of its input. */
export function tool(name: string, execute: string | Tool["execute"] = "done", more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: "object" },
    ...more,
    execute: typeof execute === "string" ? () => execute : execute,
  };
}

/** A hook that blocks, asks or rewrites at pre_tool_call. */
export function policy(decide: Parameters<typeof defineHook>[0]["on"]["pre_tool_call"], name = "policy"): Hook {
  return defineHook({ name, on: decide === undefined ? {} : { pre_tool_call: decide } });
}
