import { defineConfig, type ViteUserConfig } from "vitest/config";

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
