#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { homedir } from "node:os";

import { runProgram } from "./program.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

// A reader that goes away (`| head`) ends the output, not with a stack trace.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

const exitCode = await runProgram(process.argv.slice(2), version, {
  environment: process.env,
  workingDirectory: process.cwd(),
  homeDirectory: homedir(),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  onInterrupt(listener) {
    process.on("SIGINT", listener);
    return () => process.off("SIGINT", listener);
  },
});

// What was written must be out; an export that is still being tried again must not keep the process.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise<void>((done) => stream.write("", () => done()))),
);
process.exit(exitCode);
