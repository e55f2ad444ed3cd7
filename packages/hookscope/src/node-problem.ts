/**
 * What a person is told whose Node is too old; undefined where it is new enough.
 *
 * @param node `process.versions.node`
 * @param range `engines.node` of the package, which is `>=22.18`
 */
export function nodeProblem(node: string, range: string): string | undefined {
  const needed = range.replace(/^>=/, "");
  if (!isOlder(numbersOf(node), numbersOf(needed))) return undefined;
  return (
    `NODE_TOO_OLD: this is Node ${node}, and hookscope needs Node ${needed} or newer. Install one from ` +
    "https://nodejs.org; in a clone of Hookscope, `npm run -s hookscope -- <arguments>` brings its own."
  );
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const at = than.findIndex((number, index) => number !== (version[index] ?? 0));
  return at >= 0 && (version[at] ?? 0) < (than[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10));
}
