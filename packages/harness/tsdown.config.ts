import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: {
    index: "src/index.ts",
    internal: "src/internal.ts",
    "language-model": "src/language-model.ts",
    mcp: "src/mcp/index.ts",
  },
  format: "esm",
  platform: "node",
  dts: true,
  sourcemap: true,
  publint: true,
  attw: { profile: "esm-only" },
};

export default config;
