import {
  createHookBus,
  HookError,
  type HookBus,
  type HookBusOptions,
  type HookInvocation,
  type TurnInfo,
} from "@hookscope/hooks";
import { collectWarnings, createFakeClock, type FakeClock, type WarningCollector } from "@hookscope/testing";

export const TURN: TurnInfo = {
  turn_id: "turn-1",
  session_id: "session-1",
  profile: "default",
  platform: "cli",
  agent: "reviewer",
  model: "model-1",
  tags: [],
};

export const TOOL_CALL = {
  tool_name: "shell",
  args: { command: "ls", cwd: "/srv" },
  risk: "high",
  call_id: "call-1",
} as const;

export const MODEL_CALL = { user_message: "hello", is_first_turn: true, model: "model-1" } as const;

export interface TestBus {
  readonly bus: HookBus;
  readonly clock: FakeClock;
  readonly log: WarningCollector;
  readonly records: readonly HookInvocation[];
}

/** A bus on a clock that stands still, with what it logs and publishes. */
export function createTestBus(options: HookBusOptions = {}): TestBus {
  const clock = createFakeClock();
  const log = collectWarnings();
  const bus = createHookBus({ clock, logger: log, ...options });
  const records: HookInvocation[] = [];
  bus.subscribe((invocation) => void records.push(invocation));
  return { bus, clock, log, records };
}

/** `policy ok block applied`, `slow timeout none failed_open`, `usage ok continue -`; the pass only if not 1. */
export function line({ hook, pass, execution, decision, applied, notAppliedReason }: HookInvocation): string {
  const name = pass === 1 ? hook : `${hook}#${pass}`;
  return `${name} ${execution} ${decision} ${applied ? "applied" : (notAppliedReason ?? "-")}`;
}

/** Never settles. */
export function hang(): Promise<never> {
  return new Promise(() => {});
}

/** What is said of a call that is refused; `accepted` where it is not. */
export function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof HookError ? error.message : String(error);
  }
  return "accepted";
}
