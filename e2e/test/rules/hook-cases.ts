import type { AlertName } from "@hookscope/dashboards";
import { SERVICE, atHook, failures, scraped, suspended, durations } from "./inputs.ts";
import type { AlertCases } from "./situation.ts";

type HookAlert = Extract<AlertName, "HookErrors" | "HookTimeoutOrSuspension" | "HookSlowerThanUsual">;

/** Of hooks. */
export const HOOK_CASES: Readonly<Record<HookAlert, AlertCases>> = {
  HookErrors: {
    fires: [
      {
        when: "a hook throws once",
        input: { [failures("error")]: "0x4 1x5" },
        at: 6,
        alerts: [{ ...SERVICE, ...atHook, execution: "error" }],
      },
      {
        when: "a hook's first invalid result is seen as 1",
        input: { [failures("invalid_result")]: "_x4 1x5", [scraped]: "0x9" },
        at: 5,
        alerts: [{ ...SERVICE, ...atHook, execution: "invalid_result" }],
      },
      {
        when: "it threw eight minutes ago, so that it does not flicker",
        input: { [failures("error")]: "0x4 1x20" },
        at: 13,
        alerts: [{ ...SERVICE, ...atHook, execution: "error" }],
      },
    ],
    quiet: [
      { when: "it threw half an hour ago", input: { [failures("error")]: "0x4 1x40" }, at: 34, alerts: [] },
      { when: "it only timed out", input: { [failures("timeout")]: "0x4 1x5" }, at: 6, alerts: [] },
    ],
  },
  HookTimeoutOrSuspension: {
    fires: [
      {
        when: "a hook times out once",
        input: { [failures("timeout")]: "0x4 1x5" },
        at: 6,
        alerts: [{ ...SERVICE, ...atHook }],
      },
      {
        when: "a hook is suspended, whenever it timed out",
        input: { [suspended]: "1x20" },
        at: 15,
        alerts: [{ ...SERVICE, ...atHook }],
      },
    ],
    quiet: [
      {
        when: "it is not suspended any more, and timed out half an hour ago",
        input: { [failures("timeout")]: "0x4 1x40", [suspended]: "0x4 1x2 0x40" },
        at: 36,
        alerts: [],
      },
      { when: "it only throws", input: { [failures("error")]: "0+1x10", [suspended]: "0x10" }, at: 6, alerts: [] },
    ],
  },
  HookSlowerThanUsual: {
    fires: [
      {
        when: "a hook that took 50 ms for five hours takes a second for half an hour",
        input: durations({ fast: "0+10x300 3000x60", all: "0+10x360" }),
        at: 335,
        alerts: [{ ...SERVICE, ...atHook }],
      },
    ],
    quiet: [
      {
        when: "it has always taken a second",
        input: durations({ fast: "0x360", all: "0+10x360" }),
        at: 335,
        alerts: [],
      },
      {
        when: "it has been there for ten minutes only",
        input: durations({ fast: "0x20", all: "0+10x20" }),
        at: 15,
        alerts: [],
      },
      {
        when: "only a few invocations took a second",
        input: durations({ fast: "0+0.1x300 30x60", all: "0+0.1x360" }),
        at: 335,
        alerts: [],
      },
      {
        when: "it has been slow for five minutes only",
        input: durations({ fast: "0+10x300 3000x20", all: "0+10x320" }),
        at: 305,
        alerts: [],
      },
    ],
  },
};
