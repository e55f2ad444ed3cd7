import type { ReportBy } from "@hookscope/metrics";
import { InvalidArgumentError, Option, type Command } from "commander";

/** What `cost --by` takes. */
export const REPORTS: readonly ReportBy[] = ["model", "profile", "session", "day"];

/** Help, and the options that every command has. */
export function addOutputOptions(command: Command): Command {
  return command
    .helpOption("-h, --help", "print help")
    .option("--json", "print one JSON document instead of text")
    .option("--color", "colour even where the output is no terminal")
    .option("--no-color", "no colour")
    .option(
      "--width <columns>",
      "columns to fill, 40 or more; default: the terminal's, else 80",
      wholeNumber(40, 1_000),
    );
}

export function configOption(): Option {
  return new Option("--config <file>", "configuration; default ./hookscope.toml, then that of the config folder");
}

export function modOption(): Option {
  return new Option("--mod <file>", "load this mod as well; may be given again").argParser(collect);
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 86_400) return value;
  throw new InvalidArgumentError("Give a number of seconds from 0 to 86400.");
}

export function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text;
    throw new InvalidArgumentError(`Give one of ${values.join(", ")}.`);
  };
}

export function httpAddress(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === "http:" || protocol === "https:") return text;
  throw new InvalidArgumentError("Give an http or https address.");
}

function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  if (text.trim() === "") throw new InvalidArgumentError("Give a file.");
  return [...(before ?? []), text];
}
