// Prints `N passed, N failed` from a report of vitest's JSON reporter.
import { readFileSync } from "node:fs";

const [, , report = ""] = process.argv;
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed\n`);
