import type { Table } from "./dispatch.ts";

/** The tables as Markdown. Ratios are to the first line of each table. */
export function toMarkdown(tables: readonly Table[]): string {
  return tables.map(tableToMarkdown).join("\n\n");
}

function tableToMarkdown({ title, measured }: Table): string {
  const rows = measured.map(
    ({ name, nanoseconds, ratio }) => `| ${name} | ${Math.round(nanoseconds)} | ${ratio.toFixed(2)}x |`,
  );
  return [`### ${title}`, "", "| what | ns | ratio |", "|---|--:|--:|", ...rows].join("\n");
}
