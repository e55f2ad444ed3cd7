/** What was asked of the stack and what came back, for people. */
export class Report {
  readonly #rows: (readonly [kind: string, name: string, returned: string])[] = [];

  add(kind: string, name: string, returned: string): void {
    this.#rows.push([kind, name, returned]);
  }

  toString(): string {
    const widths = [0, 1].map((column) => Math.max(0, ...this.#rows.map((row) => (row[column] ?? "").length)));
    return this.#rows
      .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
      .map((line) => `${line.trimEnd()}\n`)
      .join("");
  }
}
