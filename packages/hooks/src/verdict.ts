import type { HookInvocation } from "./invocation.ts";
import type { HookPoint, HookPoints } from "./points.ts";

type ModifiedValue<Point extends HookPoint> = "modify" extends HookPoints[Point]["accepts"]
  ? { readonly decision: "modify"; readonly value: HookPoints[Point]["modify"] }
  : never;

type Asked<Point extends HookPoint> = "ask_user" extends HookPoints[Point]["accepts"]
  ? {
      readonly decision: "ask_user";
      readonly question: string;
      /** The hook that asked. */
      readonly hook: string;
      /** Fields merged from other hooks. */
      readonly value?: HookPoints[Point]["modify"];
    }
  : never;

type Blocked<Point extends HookPoint> = "block" extends HookPoints[Point]["accepts"]
  ? {
      readonly decision: "block";
      /** What the hook said; for a failure, which hook failed and how. */
      readonly reason: string;
      readonly hook: string;
      /** `policy`: the hook said so. `failure`: it failed, and the point fails closed. */
      readonly cause: "policy" | "failure";
    }
  : never;

/**
 * The fold of all invocations of one dispatch. `modify` at a directive: the changed payload fields, complete after the
 * merge; at a transform: the new content. `aborted`: the signal fired, so the action neither runs nor is blocked.
 */
export type Verdict<Point extends HookPoint = HookPoint> = { readonly invocations: readonly HookInvocation[] } & (
  | { readonly decision: "continue" }
  | { readonly decision: "aborted" }
  | ModifiedValue<Point>
  | Asked<Point>
  | Blocked<Point>
);
