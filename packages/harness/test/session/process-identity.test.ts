import { afterEach, expect, test } from "vitest";

import { createHolder, decodeHolder, describeHolder, mayBeAlive } from "../../src/session/process-identity.ts";

const { platform, env } = process;
const zone = env["TZ"];
afterEach(() => {
  Object.defineProperty(process, "platform", { value: platform });
  if (zone === undefined) delete env["TZ"];
  else env["TZ"] = zone;
});

test("where `ps` says when a process started, another time zone does not make it another process", () => {
  // The one path that only a system other than this one takes; `ps` itself is real.
  Object.defineProperty(process, "platform", { value: "darwin" });
  env["TZ"] = "UTC";
  const holder = createHolder();
  env["TZ"] = "Asia/Tokyo";
  expect(mayBeAlive(holder)).toBe(true);
});

test.for([
  ["no object", "1"],
  ["a process id that is none", JSON.stringify({ ...createHolder(), pid: "1" })],
  ["a process id below 1", JSON.stringify({ ...createHolder(), pid: -1 })],
  ["a time that is none", JSON.stringify({ ...createHolder(), since: 1e300 })],
] as const)("a lock that holds %s says nothing readable", ([, json]) => {
  expect(decodeHolder(json)).toBeUndefined();
});

test("a holder can be read back and described", () => {
  const holder = decodeHolder(JSON.stringify({ ...createHolder(), since: 0 }));
  expect(holder === undefined ? "" : describeHolder(holder)).toBe(
    "it is open since 1970-01-01T00:00:00.000Z in this process. Close it there first",
  );
});
