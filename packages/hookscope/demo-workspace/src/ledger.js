/** Lines of `category amount`; empty lines and comments are left out. */
export function readLedger(text) {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [category, amount] = line.split(/\s+/);
      return { category, amount };
    });
}
