export { METRICS } from "./definitions.ts";
