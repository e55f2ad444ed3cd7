import { defineConfig, type ViteUserConfig } from "vitest/config";

// Type tests are called experimental at every start.
process.env["VITEST_DISABLE_EXPERIMENTAL_LOG"] = "1";

const config: ViteUserConfig = defineConfig({
  resolve: { conditions: ["@hookscope/source"] },
  ssr: { resolve: { conditions: ["@hookscope/source"] } },
  test: {
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
