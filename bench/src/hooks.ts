import { snapshot, turnInfo, type Hook, type HookEventAt, type PayloadOf, type TurnInfo } from "@hookscope/hooks";

/*
 * Hook bodies add one to a counter, so every figure is pure overhead. Payloads and turns are snapshots made beforehand;
 * what a snapshot itself costs has a line of its own.
 */

export const POINT = "post_tool_call";

export const counter = { value: 0 };

export const turn: TurnInfo = turnInfo({ agent: "bench" });

export const payload: PayloadOf<typeof POINT> = snapshot({
  tool_name: "shell",
  args: { command: "ls -l", timeout_ms: 1000 },
  result: "ok",
  is_error: false,
  call_id: "call_1",
  status: "ok",
  duration_ms: 12,
});

export const event: HookEventAt<typeof POINT> = { point: POINT, payload, turn };

export type Mode = "async" | "sync";
export const MODES: readonly Mode[] = ["async", "sync"];

export function makeHooks(count: number, mode: Mode): readonly Hook[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `hook_${index}`,
    points: [POINT],
    call:
      mode === "async"
        ? async () => {
            counter.value += 1;
          }
        : () => {
            counter.value += 1;
          },
  }));
}
