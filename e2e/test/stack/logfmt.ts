/** `a=1 b="two words"`, as Grafana's Jaeger data source reads the tags of a search; a later key wins. */
export function parseKeyValues(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/([^\s="]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g);
  return Object.fromEntries(
    [...pairs].map(([, key = "", quoted, bare = ""]) => [
      key,
      quoted === undefined ? bare : (JSON.parse(`"${quoted}"`) as string),
    ]),
  );
}
