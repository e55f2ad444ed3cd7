import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: ["src/index.ts", "src/internal.ts", "src/redact/index.ts"],
  format: "esm",
  platform: "neutral",
  dts: true,
  sourcemap: true,
  publint: true,
  attw: { profile: "esm-only" },
};

export default config;
