/** For the packages of this repository that start processes. Not stable. */
export { childEnvironment } from "./tools/child-environment.ts";
export { ProcessGroup } from "./tools/process-group.ts";
