// Writes the generated files, or with --check says which are out of date.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedFiles } from "@hookscope/dashboards";
import { conformanceDocument, conformanceProblems, pendingSentences } from "./documents/conformance.ts";
import { configurationDocument } from "./documents/configuration.ts";
import { errorsDocument } from "./documents/errors.ts";
import { eventsDocument } from "./documents/events.ts";
import { hookPointsDocument } from "./documents/hook-points.ts";
import { metricsDocument } from "./documents/metrics.ts";
import { traceDocument } from "./documents/trace.ts";

const root = join(import.meta.dirname, "..");

const DOCUMENTS: { readonly [path: string]: () => string } = {
  "docs/conformance.md": conformanceDocument,
  "docs/configuration.md": configurationDocument,
  "docs/errors.md": errorsDocument,
  "docs/events.md": eventsDocument,
  "docs/hook-points.md": hookPointsDocument,
  "docs/metrics.md": metricsDocument,
  "docs/trace.md": traceDocument,
  ...Object.fromEntries(
    Object.entries(generatedFiles()).map(([path, content]) => [`dashboards/generated/${path}`, () => content]),
  ),
};

const stale = Object.entries(DOCUMENTS).filter(([path, content]) => read(path) !== content());

if (process.argv.includes("--check")) {
  for (const [path] of stale) {
    process.stderr.write(`GENERATED_FILE_STALE: ${path} does not fit its table. Run: npm run docs:generate\n`);
  }
  const unproven = conformanceProblems();
  for (const problem of unproven) process.stderr.write(`CONFORMANCE_UNPROVEN: ${problem}\n`);
  for (const sentence of pendingSentences()) process.stdout.write(`pending: ${sentence}\n`);
  if (stale.length + unproven.length > 0) process.exitCode = 1;
} else {
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content());
    process.stdout.write(`wrote ${path}\n`);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}
