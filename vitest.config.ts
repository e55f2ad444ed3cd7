import { defineConfig, type ViteUserConfig } from "vitest/config";

import { propertySeed, readPropertySeed } from "./scripts/property-seed.ts";
import { settleEnvironment } from "./scripts/test-environment.ts";

// Before any process of the tests starts: they get this one's environment.
settleEnvironment(process.env);
// Type tests are called experimental at every start.
process.env["VITEST_DISABLE_EXPERIMENTAL_LOG"] = "1";

const config: ViteUserConfig = defineConfig({
  plugins: [propertySeed(readPropertySeed(process.env["PROPERTY_SEED"]))],
  resolve: { conditions: ["@hookscope/source"] },
  ssr: { resolve: { conditions: ["@hookscope/source"] } },
  test: {
    // For what hangs, not for what is slow: no test asserts a speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: ["{packages,examples,dashboards}/**/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    typecheck: {
      enabled: true,
      include: ["packages/*/test/**/*.test-d.ts"],
      tsconfig: "./tsconfig.vitest.json",
    },
    coverage: { include: ["packages/*/src/**/*.ts"], reporter: ["text-summary", "json-summary"] },
  },
});

export default config;
