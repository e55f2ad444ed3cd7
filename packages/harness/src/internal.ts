/** For the packages of this repository that start processes. Not stable. */
export { childEnvironment } from "./tools/child-environment.ts";
export { runProcess, type ProcessOutcome, type ProcessRequest } from "./tools/run-process.ts";
