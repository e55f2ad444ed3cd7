import { defineConfig, type ViteUserConfig } from "vitest/config";
import { canPrepare, UNAVAILABLE } from "./backends/prepare.ts";

// Without Go and without a container engine nothing can run: that is said, and fails in CI.
const runnable = Boolean(process.env["CI"]) || (await canPrepare());
if (!runnable) process.stderr.write(`BACKEND_UNAVAILABLE: not run: ${UNAVAILABLE}\n`);

const config: ViteUserConfig = defineConfig({
  resolve: { conditions: ["@hookscope/source"] },
  ssr: { resolve: { conditions: ["@hookscope/source"] } },
  test: {
    root: import.meta.dirname,
    include: runnable ? ["test/**/*.test.ts"] : [],
    passWithNoTests: !runnable,
    globalSetup: runnable ? ["./global-setup.ts"] : [],
    // Real programs on real sockets; their limits are in the helpers, these only end what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

export default config;
