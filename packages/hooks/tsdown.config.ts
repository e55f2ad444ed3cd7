import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: { index: "src/index.ts", internal: "src/internal.ts", redact: "src/redact/index.ts" },
  format: "esm",
  platform: "neutral",
  fixedExtension: true,
  dts: true,
  sourcemap: true,
  publint: true,
  attw: { profile: "esm-only" },
};

export default config;
