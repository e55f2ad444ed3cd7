export { startOtlpMetrics, type OtlpMetrics, type OtlpMetricsOptions } from "./start.ts";
