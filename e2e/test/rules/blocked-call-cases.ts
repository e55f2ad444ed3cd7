import { began, blocked, otherProgram, POLICY, pushed, scraped } from "./inputs.ts";
import type { AlertCases } from "./situation.ts";

/** Of ToolCallBlocked: how a counter may begin, begin anew, and be out of sight. */
export const BLOCKED_CALL_CASES: AlertCases = {
  fires: [
    {
      when: "a counter that stood at 0 goes to 1",
      input: { [blocked("policy")]: "0x4 1x5" },
      at: 6,
      alerts: [POLICY],
    },
    {
      when: "a counter is first seen at 1",
      input: { [blocked("policy")]: "_x4 1x5", [scraped]: "0x9" },
      at: 5,
      alerts: [POLICY],
    },
    {
      when: "it was seen at 1, and has been there for two scrapes",
      input: { [blocked("policy")]: "_x4 1x5", [scraped]: "0x9" },
      at: 7,
      alerts: [POLICY],
    },
    {
      when: "the first scrape of a process that has just begun has a blocked call",
      input: { [blocked("policy")]: "_x4 1x5", [scraped]: "_x4 0x5", [began]: "_x4 250x5" },
      at: 5,
      alerts: [POLICY],
    },
    { when: "a counter goes from 7 to 8", input: { [blocked("policy")]: "7x60 8x5" }, at: 62, alerts: [POLICY] },
    {
      when: "the process starts again and blocks once",
      input: { [blocked("policy")]: "7x60 0x2 1x5" },
      at: 65,
      alerts: [POLICY],
    },
    {
      when: "the process starts again and has blocked as often as before when it is next scraped",
      input: { [blocked("policy")]: "1x70", [scraped]: "0x70", [began]: "-86400x60 3630x10" },
      at: 62,
      alerts: [POLICY],
    },
    {
      when: "the process started again forty minutes ago, and now blocks as often as before",
      input: { [blocked("policy")]: "1x20 _x40 1x5", [scraped]: "0x70", [began]: "-86400x20 1250x50" },
      at: 62,
      alerts: [POLICY],
    },
    {
      when: "the process was down for ten minutes, and its first scrape has a blocked call",
      input: {
        [blocked("policy")]: "1x20 _x10 1x5",
        [scraped]: "0x20 _x10 0x5",
        [began]: "-86400x20 _x10 1850x5",
      },
      at: 32,
      alerts: [POLICY],
    },
    {
      when: "a command of an hour leaves its first blocked call at a Pushgateway",
      input: {
        [blocked("policy")]: "_x4 1x5",
        [scraped]: "_x4 0x5",
        [began]: "_x4 -3600x5",
        [pushed]: "_x4 290x5",
      },
      at: 6,
      alerts: [POLICY],
    },
    {
      when: "the next command of an hour leaves as many there as the one before",
      input: {
        [blocked("policy")]: "1x70",
        [scraped]: "0x70",
        [began]: "-9000x60 -100x10",
        [pushed]: "-5000x60 3600x10",
      },
      at: 62,
      alerts: [POLICY],
    },
    {
      when: "a call was blocked while Prometheus was away for half an hour",
      input: { [blocked("policy")]: "7x30 _x30 8x10", [scraped]: "0x30 _x30 0x10" },
      at: 62,
      alerts: [POLICY],
    },
  ],
  quiet: [
    { when: "nothing was ever blocked", input: { [blocked("policy")]: "0x20" }, at: 15, alerts: [] },
    {
      when: "the last block is more than five minutes ago",
      input: { [blocked("policy")]: "0x4 1x20" },
      at: 15,
      alerts: [],
    },
    {
      when: "Prometheus was away for half an hour, and nothing changed",
      input: { [blocked("policy")]: "7x30 _x30 7x10", [scraped]: "0x30 _x30 0x10", [began]: "-86400x80" },
      at: 62,
      alerts: [],
    },
    {
      when: "Prometheus was away for a day, and nothing changed",
      input: { [blocked("policy")]: "7x30 _x1440 7x10", [scraped]: "0x30 _x1440 0x10", [began]: "-86400x1480" },
      at: 1472,
      alerts: [],
    },
    {
      when: "Prometheus is new beside a process that has long run",
      input: { [blocked("policy")]: "_x4 7x10", [scraped]: "_x4 0x10", [began]: "_x4 -86400x10" },
      at: 6,
      alerts: [],
    },
    {
      when: "what a command left at a Pushgateway has been there for ten minutes",
      input: { [blocked("policy")]: "1x20", [scraped]: "0x20", [began]: "-9000x20", [pushed]: "-5000x20" },
      at: 12,
      alerts: [],
    },
    {
      when: "another program leaves its counts at the Pushgateway, beside those of one that blocked long ago",
      input: {
        [blocked("policy")]: "1x20",
        [scraped]: "0x20",
        [began]: "-9000x20",
        [pushed]: "-5000x20",
        ...otherProgram("-9000x10 550x10", "-5000x10 600x10"),
      },
      at: 12,
      alerts: [],
    },
    {
      when: "one scrape of the process fails",
      input: { [blocked("policy")]: "7x20 _ 7x10", [scraped]: "0x20 _ 0x10", [began]: "-86400x20 _ -86400x10" },
      at: 23,
      alerts: [],
    },
    {
      when: "the process starts again and blocks nothing",
      input: { [blocked("policy")]: "7x20 0x10", [scraped]: "0x30", [began]: "-86400x20 1250x10" },
      at: 23,
      alerts: [],
    },
  ],
};
