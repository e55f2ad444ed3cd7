import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

import { propertySeed, readPropertySeed } from "./scripts/property-seed.ts";
import { settleEnvironment } from "./scripts/test-environment.ts";

// The libraries' tests once more, on the 2.x line of OpenTelemetry: API 1.9.1 and its SDK in place of what the source
// imports. Only modules of the workspace are looked at: everything else keeps its own. No test holds on 3.x alone.

settleEnvironment(process.env);

const root = fileURLToPath(new URL(".", import.meta.url));
const { resolve } = createRequire(new URL("tools/otel2/package.json", import.meta.url));

/** The tests that make spans: those that start the in-memory telemetry, by themselves or by their support module. */
const testsWithSpans: readonly string[] = globSync("packages/{hooks,harness,testing,command-hooks}/test/**/*.test.ts", {
  cwd: root,
}).filter((path) => /createTestTelemetry|support\/telemetry\.ts/.test(readFileSync(`${root}${path}`, "utf8")));

/** The span processors that an application with an SDK of its own may take from telemetry. */
const processors =
  "packages/telemetry/test/{backend-hints,turn-sampler,turn-sampler-bounds,turn-sampler-groups}.test.ts";

const config: ViteUserConfig = defineConfig({
  plugins: [propertySeed(readPropertySeed(process.env["PROPERTY_SEED"]))],
  resolve: {
    conditions: ["@hookscope/source"],
    alias: [
      { find: /^@opentelemetry\/api$/, replacement: resolve("@opentelemetry/api") },
      { find: /^@opentelemetry\/context-async-hooks$/, replacement: resolve("@opentelemetry/context-async-hooks") },
      { find: /^@opentelemetry\/sdk-trace$/, replacement: `${root}tools/otel2/src/sdk-trace.ts` },
    ],
  },
  ssr: { resolve: { conditions: ["@hookscope/source"] } },
  test: {
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: [...testsWithSpans, processors, "tools/otel2/test/**/*.test.ts"],
  },
});

export default config;
