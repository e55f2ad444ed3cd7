/** For the packages of this repository that make folders and start processes. Not stable. */
export { makeFolder } from "./make-folder.ts";
export { childEnvironment } from "./tools/child-environment.ts";
export { runProcess, type ProcessOutcome, type ProcessRequest } from "./tools/run-process.ts";
