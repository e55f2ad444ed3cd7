import { invokeOnce } from "@hookscope/hooks/internal";
import type { Context } from "@opentelemetry/api";

import { Interruption } from "./interruption.ts";
import { MOD_HOOKS } from "./mod-hooks.ts";
import type { ModSite } from "./mod-table.ts";
import type { ModHookName, ModHooks } from "./mods.ts";
import type { TurnScope } from "./scope.ts";

type Params<Hook extends ModHookName> = Parameters<NonNullable<ModHooks[Hook]>>[0];
type Returned<Hook extends ModHookName> = Awaited<ReturnType<NonNullable<ModHooks[Hook]>>>;

/** What came of one mod's hook. `failed`: it threw, took too long or returned the wrong shape; `mod_error` was emitted. */
export type ModAnswer<Hook extends ModHookName> =
  | { readonly failed: true }
  | { readonly failed: false; readonly value: Returned<Hook> };

export interface ModInvocation<Hook extends ModHookName> {
  readonly hook: Hook;
  readonly params: Params<Hook>;
  /** What the hook returns if it changes nothing. */
  readonly given?: unknown;
  readonly toolCallId?: string;
  readonly parent?: Context;
  /** A hook that closes the run is not cut short by an interrupt. */
  readonly closing?: boolean;
}

/**
 * Invokes one mod's hook. It never throws upward for what the hook does.
 *
 * @throws Interruption where the turn was interrupted meanwhile, unless the hook is a closing one
 */
export async function invokeMod<Hook extends ModHookName>(
  scope: TurnScope,
  { mod, site }: ModSite,
  invocation: ModInvocation<Hook>,
): Promise<ModAnswer<Hook>> {
  const { hook, params, given } = invocation;
  const row = MOD_HOOKS[hook];
  const answer = await invokeOnce(
    {
      core: scope.setup.core,
      site,
      turn: scope.turn,
      parent: invocation.parent ?? scope.context,
      signal: invocation.closing === true ? undefined : scope.signal,
      conclude: (value) => {
        const { problem, reason, ...judgement } = row.judge(value, given);
        if (problem !== undefined) {
          return {
            execution: "invalid_result",
            ...judgement,
            applied: false,
            notAppliedReason: "not_accepted",
            reason: problem,
          };
        }
        return { execution: "ok", ...judgement, applied: judgement.decision !== "continue", reason };
      },
    },
    { params, context: scope.modContext(mod.id) },
  );
  if (answer.invocation.execution === "aborted") throw new Interruption();
  if (answer.invocation.execution === "ok") return { failed: false, value: answer.value as Returned<Hook> };
  const { error, reason, execution, spanId } = answer.invocation;
  const toolCallId = invocation.toolCallId === undefined ? {} : { toolCallId: invocation.toolCallId };
  scope.emit(
    { type: "mod_error", modId: mod.id, hook, error: error?.message ?? reason ?? execution, ...toolCallId },
    spanId,
  );
  return { failed: true };
}
