import { readFile, writeFile } from "node:fs/promises";
import { BackendError } from "./error.ts";

/** What stands in a shipped file, and what this run has instead of it. */
export type Replacements = Readonly<Record<string, string>>;

/** Copies a configuration file. A text to replace that the file does not hold is an error: the two have drifted apart. */
export async function copyConfig(from: string, to: string, replacements: Replacements = {}): Promise<void> {
  let text = await readFile(from, "utf8");
  for (const [shipped, here] of Object.entries(replacements)) {
    if (!text.includes(shipped)) {
      throw new BackendError(
        "BACKEND_CONFIG_MISMATCH",
        `${from} holds no "${shipped}" to replace by "${here}"; correct the replacements or the file`,
      );
    }
    text = text.replaceAll(shipped, here);
  }
  await writeFile(to, text);
}
