import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: ["src/index.ts"],
  format: "esm",
  platform: "node",
  dts: true,
  sourcemap: true,
  publint: true,
  attw: { profile: "esm-only" },
};

export default config;
