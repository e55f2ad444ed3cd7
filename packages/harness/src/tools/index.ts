export { builtInTools, type BuiltInToolOptions } from "./built-in-tools.ts";
export { editFileTool, type EditFileOptions } from "./edit-file.ts";
export { listFilesTool, type ListFilesOptions } from "./list-files.ts";
export { readFileTool, type ReadFileOptions } from "./read-file.ts";
export { searchFilesTool, type SearchFilesOptions } from "./search-files.ts";
export { shellTool, type ShellOptions } from "./shell.ts";
export { writeFileTool } from "./write-file.ts";
