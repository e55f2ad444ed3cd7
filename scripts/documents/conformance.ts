import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_CODE } from "./seed-sentences/command-code.ts";
import { COMMON_AGENT } from "./seed-sentences/common-agent.ts";
import type { Seed, SeedSection, SeedSentence } from "./seed-sentences/types.ts";
import { table } from "./table.ts";

const ROOT = join(import.meta.dirname, "../..");
const DECISIONS = "docs/decisions";
const SEEDS: readonly Seed[] = [COMMON_AGENT, COMMAND_CODE];

const INTRODUCTION = `<!-- Generated from scripts/documents/seed-sentences by \`npm run docs:generate\`. Do not edit. -->

# Conformance

Hookscope follows two texts, the seeds: the hooks page of CommonAgent and the hooks and events page of Command Code.
Every sentence in them that states behaviour stands here, by its first words, with the test that proves it or the
decision by which Hookscope departs from it.`;

/** docs/conformance.md: each sentence of the seeds, and what proves it. */
export function conformanceDocument(): string {
  const parts = SEEDS.flatMap(({ title, sections }) => [`## ${title}`, ...sections.map(renderSection)]);
  return `${[INTRODUCTION, ...parts].join("\n\n")}\n`;
}

/** What is wrong with the table: tests and decisions that do not exist, and sentences that stand there twice. */
export function conformanceProblems(seeds: readonly Seed[] = SEEDS): readonly string[] {
  return seeds.flatMap(({ sections }) => sections.flatMap(problemsOf));
}

/** Sentences whose test is still to come. */
export function pendingSentences(): readonly string[] {
  return allProofs().flatMap(({ says, proof }) => (proof.kind === "pending" ? [`${says} (${proof.part})`] : []));
}

type Proof =
  | { readonly kind: "test"; readonly name: string; readonly file: string }
  | { readonly kind: "departure"; readonly page: string }
  | { readonly kind: "pending"; readonly part: string };

interface Proven {
  readonly says: string;
  readonly proof: Proof;
}

function allProofs(): readonly Proven[] {
  return SEEDS.flatMap(({ sections }) => sections.flatMap(proofsOf));
}

function proofsOf({ file, sentences }: SeedSection): readonly Proven[] {
  return sentences.map((sentence) => ({ says: saysOf(sentence), proof: proofOf(sentence, file) }));
}

function saysOf(sentence: SeedSentence): string {
  return typeof sentence === "string" ? sentence : sentence.says;
}

function proofOf(sentence: SeedSentence, file: string): Proof {
  if (typeof sentence === "string") return { kind: "test", name: sentence, file };
  if ("departure" in sentence) return { kind: "departure", page: sentence.departure };
  if ("pending" in sentence) return { kind: "pending", part: sentence.pending };
  return { kind: "test", name: sentence.test ?? sentence.says, file: sentence.in };
}

function problemsOf(section: SeedSection): readonly string[] {
  const proofs = proofsOf(section);
  const twice = proofs.filter(({ says }, index) => proofs.findIndex((other) => other.says === says) !== index);
  return [
    ...twice.map(({ says }) => `"${says}" stands twice under "${section.title}"`),
    ...proofs.flatMap(({ says, proof }) => {
      const problem = problemWith(proof);
      return problem === undefined ? [] : [`"${says}": ${problem}`];
    }),
  ];
}

function problemWith(proof: Proof): string | undefined {
  if (proof.kind === "departure") {
    return existsSync(join(ROOT, DECISIONS, proof.page)) ? undefined : `there is no ${DECISIONS}/${proof.page}`;
  }
  if (proof.kind === "pending") return undefined;
  const names = testNames(proof.file);
  if (names === undefined) return `there is no ${proof.file}`;
  return names.some((name) => name.startsWith(proof.name)) ? undefined : `${proof.file} has no test "${proof.name}"`;
}

const namesByFile = new Map<string, readonly string[] | undefined>();

function testNames(file: string): readonly string[] | undefined {
  if (!namesByFile.has(file)) namesByFile.set(file, readTestNames(join(ROOT, file)));
  return namesByFile.get(file);
}

/** A name is the text that a call of `test`, `describe` or one of their `for`s begins with. */
const TEST_NAME = /(?:\b(?:test|describe)|\))\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g;

function readTestNames(path: string): readonly string[] | undefined {
  if (!existsSync(path)) return undefined;
  return [...readFileSync(path, "utf8").matchAll(TEST_NAME)].map(([, literal = ""]) =>
    literal.slice(1, -1).replaceAll(/\\(.)/g, "$1"),
  );
}

function renderSection(section: SeedSection): string {
  const rows = proofsOf(section).map(({ says, proof }) => [says, renderProof(proof, says)]);
  return `### ${section.title}\n\n${table(["sentence", "proven by"], rows)}`;
}

function renderProof(proof: Proof, says: string): string {
  switch (proof.kind) {
    case "test":
      return (
        `[${proof.file.slice(proof.file.indexOf("/") + 1)}](../${proof.file})` +
        (proof.name === says ? "" : `: ${proof.name}`)
      );
    case "departure":
      return `departure: [${proof.page.replace(".md", "")}](decisions/${proof.page})`;
    case "pending":
      return `to come, with ${proof.part}`;
  }
}
