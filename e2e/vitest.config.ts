import { defineConfig, type ViteUserConfig } from "vitest/config";
import { goVersion } from "./backends/go-build.ts";
import { canPrepare, UNAVAILABLE } from "./backends/prepare.ts";

// What the shell says of telemetry is not for the programs under test. Proxies stay: Go fetches modules.
for (const name of Object.keys(process.env)) if (/^(OTEL_|TRACEPARENT$)/.test(name)) delete process.env[name];

// Without Go and without a container engine nothing can run: that is said, and fails in CI.
const runnable = Boolean(process.env["CI"]) || (await canPrepare());
if (!runnable) process.stderr.write(`BACKEND_UNAVAILABLE: not run: ${UNAVAILABLE}\n`);

const config: ViteUserConfig = defineConfig({
  resolve: { conditions: ["@hookscope/source"] },
  ssr: { resolve: { conditions: ["@hookscope/source"] } },
  test: {
    root: import.meta.dirname,
    include: runnable ? ["test/**/*.test.ts"] : [],
    // How Go builds a backend is tested where there is Go; elsewhere the images are used.
    exclude: (await goVersion()) === undefined ? ["test/go-build.test.ts"] : [],
    passWithNoTests: !runnable,
    globalSetup: runnable ? ["./global-setup.ts"] : [],
    // Real programs on real sockets; their limits are in the helpers, these only end what hangs. A hook may install packages.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});

export default config;
