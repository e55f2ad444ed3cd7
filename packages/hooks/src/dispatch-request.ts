import type { Context } from "@opentelemetry/api";

import type { InvocationCore } from "./core.ts";
import type { Folded } from "./fold.ts";
import type { HookInvocation } from "./invocation.ts";
import type { JsonObject } from "./json.ts";
import type { TurnInfo } from "./payloads.ts";
import type { HookPoint, HookPointRow } from "./points.ts";
import type { Registration } from "./registry.ts";

export interface DispatchRequest {
  readonly core: InvocationCore;
  readonly point: HookPoint;
  readonly row: HookPointRow;
  /** The registrations at the moment of dispatch; what registers or unregisters meanwhile counts from the next one on. */
  readonly registrations: readonly Registration[];
  /** Snapshots, like the turn. */
  readonly payload: JsonObject;
  readonly turn: TurnInfo | undefined;
  readonly signal: AbortSignal | undefined;
  /** Default: the active context. */
  readonly parent: Context | undefined;
  readonly suspendMs: number;
}

export type DispatchVerdict = { readonly invocations: readonly HookInvocation[] } & (
  | Folded
  | { readonly decision: "aborted" }
);
