import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: { index: "src/index.ts", otlp: "src/otlp/index.ts" },
  format: "esm",
  platform: "node",
  dts: true,
  sourcemap: true,
  publint: true,
  attw: { profile: "esm-only" },
};

export default config;
