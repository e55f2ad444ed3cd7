import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settleEnvironment } from "../test-environment.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("what the programs under test would follow is taken away, and all else stays", () => {
  const environment = {
    PATH: "/bin",
    HOME: "/home/somebody",
    TZ: "Pacific/Kiritimati",
    NODE_OPTIONS: "--no-warnings",
    TMPDIR: realpathSync(tmpdir()),
    OTEL_TRACES_SAMPLER: "always_off",
    HOOKSCOPE_HOME: "/somewhere",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    https_proxy: "http://127.0.0.1:1",
    NODE_USE_ENV_PROXY: "1",
    NO_COLOR: "1",
    TERM: "dumb",
  };
  const { PATH, HOME, TZ, NODE_OPTIONS, TMPDIR } = environment;
  settleEnvironment(environment);
  expect(environment).toEqual({ PATH, HOME, TZ, NODE_OPTIONS, TMPDIR });
});

test("a folder for temporary files that is a link is named by where it leads", () => {
  const folder = realpathSync(temporaryFolder());
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  const environment = { TMPDIR: join(folder, "link") };
  settleEnvironment(environment);
  expect(environment).toEqual({ TMPDIR: join(folder, "real") });
});

test("the tests themselves run in a settled environment", () => {
  const settled = { ...process.env };
  settleEnvironment(settled);
  expect({ ...process.env }).toEqual(settled);
});
