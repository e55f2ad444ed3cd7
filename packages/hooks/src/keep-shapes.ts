import { INVALID_SPAN_CONTEXT, ROOT_CONTEXT, trace } from "@opentelemetry/api";

import type { Clock } from "./clock.ts";
import { InvocationCore } from "./core.ts";
import { Dispatch } from "./dispatch.ts";
import { OpenInvocation } from "./open-invocation.ts";
import { HOOK_POINTS } from "./points.ts";
import { HookSite } from "./site.ts";
import { surroundingsOf } from "./surroundings.ts";

const KEPT: unknown[] = [];

/**
 * Keeps one of each object that otherwise lives only as long as a dispatch. An engine forgets how objects are laid out of
 * which none is alive when it collects everything, and throws away the code it compiled for them: without this, dispatches
 * are several times slower for a while after each full collection. What is kept holds nothing of any bus.
 */
export function keepShapes(): void {
  if (KEPT.length > 0) return;
  const core = new InvocationCore({
    clock: STANDING,
    tracer: { startSpan: () => NO_SPAN, startActiveSpan: () => undefined as never },
    redact: { text: (text) => text, value: (value) => value },
  });
  const description = {
    point: "pre_llm_call",
    hook: "kept",
    kind: "directive",
    failurePolicy: "open",
    timeoutMs: 1,
  } as const;
  const sites = [(): void => {}, async (): Promise<void> => {}].map(
    (call) => new HookSite(description, { call }, core.deadlines.for(description.timeoutMs)),
  );
  const dispatch = new Dispatch({
    core,
    point: description.point,
    row: HOOK_POINTS[description.point],
    registrations: sites.map((site) => ({ hook: { name: site.description.hook, points: [], call: () => {} }, site })),
    payload: Object.freeze({}),
    turn: undefined,
    signal: undefined,
    parent: ROOT_CONTEXT,
    suspendMs: 1,
  });
  const [site] = sites as [HookSite];
  const open = new OpenInvocation(core, site, 1, surroundingsOf(core, undefined, ROOT_CONTEXT), STANDING.now());
  open.settle("ok", undefined, STANDING.now());
  KEPT.push(dispatch, dispatch.run(), open);
}

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** With a fraction, as the machine's clock has. */
const STANDING: Clock = { now: () => 0.5, setTimer: () => ({ cancel: () => {} }) };
