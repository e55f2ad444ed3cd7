export { registerOldLine, type OldLine } from "./register-old-line.ts";
