/** For the packages of this repository: what the loop needs to run mod hooks through the same invocation. Not stable. */
export { coreOf } from "./bus.ts";
export type { InvocationCore } from "./core.ts";
export { invokeOnce, type InvokedOnce, type InvokeOnceRequest } from "./invoke-once.ts";
export { describeError } from "./describe-error.ts";
export { LONGEST_TIMER_MS } from "./clock.ts";
export { cut } from "./hook-span.ts";
export { toHrTime } from "./hr-time.ts";
export { isRecorded } from "./surroundings.ts";
export { mutableCopy, sameJson } from "./snapshot.ts";
export { spanTypeOf } from "./span-type.ts";
export { HookSite, type Callable, type SiteDescription } from "./site.ts";
export { suggest } from "./suggest.ts";
