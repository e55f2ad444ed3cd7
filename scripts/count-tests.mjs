// Prints `N passed, N failed`, summed over the reports of vitest's JSON reporter in a directory.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [, , directory = "."] = process.argv;
const reports = readdirSync(directory).map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")));
const sum = (/** @type {string} */ field) => reports.reduce((total, report) => total + report[field], 0);
process.stdout.write(`${sum("numPassedTests")} passed, ${sum("numFailedTests")} failed\n`);
