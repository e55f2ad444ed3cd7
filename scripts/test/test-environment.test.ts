import { expect, test } from "vitest";
import { clearEnvironment } from "../test-environment.ts";

test("what the programs under test would follow is taken away, and all else stays", () => {
  const environment = {
    PATH: "/bin",
    HOME: "/home/somebody",
    TZ: "Pacific/Kiritimati",
    NODE_OPTIONS: "--no-warnings",
    OTEL_TRACES_SAMPLER: "always_off",
    HOOKSCOPE_HOME: "/somewhere",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    https_proxy: "http://127.0.0.1:1",
    NODE_USE_ENV_PROXY: "1",
    NO_COLOR: "1",
  };
  clearEnvironment(environment);
  expect(Object.keys(environment)).toEqual(["PATH", "HOME", "TZ", "NODE_OPTIONS"]);
});

test("the tests themselves run without it", () => {
  const before = { ...process.env };
  const after = { ...process.env };
  clearEnvironment(after);
  expect(after).toEqual(before);
});
