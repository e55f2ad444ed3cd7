import { categoryTone, GLYPHS } from "./bar.ts";
import type { Category, Facts, Mark } from "./facts-type.ts";
import { compact, count, dollars, duration } from "./format.ts";
import type { Paint } from "./paint.ts";
import { numberAttribute } from "./read-span.ts";
import { MARKS } from "./rows.ts";
import { timeOf, type Segment } from "./segments.ts";
import { fit, fitRight, wrap } from "./text.ts";
import { flatten, type Node } from "./tree.ts";

export interface SummaryRequest {
  readonly root: Node;
  readonly segments: readonly Segment[];
  readonly shortenedAxis: boolean;
  readonly width: number;
  readonly paint: Paint;
}

/** Where the time went, what each kind of work came to, and what the marks mean. Glyphs are those of the bars. */
export function renderSummary({ root, segments, shortenedAxis, width, paint }: SummaryRequest): readonly string[] {
  const nodes = flatten(root);
  const total = root.span.endTime - root.span.startTime;
  const share = (time: number): string => (total <= 0 ? "" : `${Math.round((time / total) * 100)} %`);
  const line = (category: Category, name: string, text: string): readonly string[] => {
    const time = timeOf(category, segments);
    const before = `  ${GLYPHS[category]} ${fit(name, 9)}${fitRight(duration(time), 7)} ${fitRight(share(time), 5)}  `;
    const painted = paint(categoryTone(category), before);
    return wrap(text, width - before.length, 3).map((part, index) =>
      index === 0 ? painted + part : " ".repeat(before.length) + part,
    );
  };
  return [
    `${paint("strong", `total ${duration(total)}`)}${costText(root)}`,
    ...line("model", "model", modelText(nodes)),
    ...line("tool", "tools", toolText(nodes)),
    ...line("hook", "hooks", hookText(root, nodes)),
    ...line("waiting", "waiting", `${waitingText(nodes)}${shortenedAxis ? "; its bar is drawn shorter" : ""}`),
    ...line("other", "other", otherText(nodes)),
    ...legend(nodes, width, paint),
  ];
}

function costText(root: Node): string {
  const cost = flatten(root)
    .filter(({ facts }) => facts.type === "turn")
    .map(({ span }) => numberAttribute(span, "agent_turn.cost_usd"))
    .find((amount) => amount !== undefined);
  return cost === undefined ? "" : `, cost ${dollars(cost)}`;
}

function modelText(nodes: readonly Node[]): string {
  const calls = nodes.filter(({ facts }) => facts.type === "model_call");
  const tokens = (key: "gen_ai.usage.input_tokens" | "gen_ai.usage.output_tokens"): number =>
    calls.reduce((sum, { span }) => sum + (numberAttribute(span, key) ?? 0), 0);
  const [input, output] = [tokens("gen_ai.usage.input_tokens"), tokens("gen_ai.usage.output_tokens")];
  const usage = input + output === 0 ? "" : `, ${compact(input)} tokens in, ${compact(output)} out`;
  return sentence(`${count(calls.length, "call")}${usage}`, counted(calls, [["failed", "failed"]]));
}

function toolText(nodes: readonly Node[]): string {
  const calls = nodes.filter(({ facts }) => facts.type === "tool_call");
  const outcomes = ["BLOCKED", "DENIED", "FAILED", "CANCELLED"].map((word) => [word, word.toLowerCase()] as const);
  return sentence(count(calls.length, "call"), countedWords(calls, outcomes));
}

function hookText(root: Node, nodes: readonly Node[]): string {
  const hooks = nodes.filter(({ facts }) => facts.type === "hook");
  const turn = nodes.find(({ facts }) => facts.type === "turn") ?? root;
  const suppressed = numberAttribute(turn.span, "agent_turn.spans_suppressed") ?? 0;
  const sum = hooks.reduce((time, { span, facts }) => time + (facts.time ?? span.endTime - span.startTime), 0);
  return sentence(`${count(hooks.length + suppressed, "invocation")}, ${duration(sum)} in sum`, [
    ...counted(hooks, [
      ["blocked", "blocked"],
      ["asked", "asked"],
      ["changed", "changed"],
    ]),
    ...countedWords(hooks, [
      ["FAILED", "failed"],
      ["TIMED OUT", "timed out"],
      ["SUSPENDED", "suspended"],
      ["INVALID", "gave an invalid result"],
    ]),
    ...counted(hooks, [["slow", "slow"]]),
  ]);
}

function waitingText(nodes: readonly Node[]): string {
  const questions = nodes.filter(({ facts }) => facts.type === "approval");
  if (questions.length === 0) return "for a person, nothing was asked";
  return `for a person, ${sentence(count(questions.length, "question"), answers(questions))}`;
}

/** Nobody's time but the loop's: most of it are the waits of a model call that is tried again. */
function otherText(nodes: readonly Node[]): string {
  const again = nodes.filter(({ facts, span }) => {
    return facts.type === "model_call" && (numberAttribute(span, "agent_model.attempt") ?? 1) > 1;
  });
  return again.length === 0 ? "the loop" : `the loop, ${count(again.length, "wait")} before another try`;
}

function answers(questions: readonly Node[]): readonly string[] {
  const words = new Map(Object.entries(Object.groupBy(questions, ({ facts }) => facts.word || "open")));
  return [...words].map(([word, group]) => `${group?.length ?? 0} ${ANSWERS[word] ?? word.toLowerCase()}`);
}

/** Where the outcome's word alone does not say it. */
const ANSWERS: Readonly<Record<string, string>> = { "NO ANSWER": "not answered in time", NOBODY: "with nobody there" };

function counted(nodes: readonly Node[], marks: readonly (readonly [Mark, string])[]): readonly string[] {
  return tally(nodes, marks, ({ mark }) => mark);
}

function countedWords(nodes: readonly Node[], words: readonly (readonly [string, string])[]): readonly string[] {
  return tally(nodes, words, ({ word }) => word);
}

function tally(
  nodes: readonly Node[],
  wanted: readonly (readonly [string, string])[],
  read: (facts: Facts) => string | undefined,
): readonly string[] {
  return wanted.flatMap(([value, text]) => {
    const found = nodes.filter(({ facts }) => read(facts) === value).length;
    return found === 0 ? [] : [`${found} ${text}`];
  });
}

/** `3 calls: 1 failed, 1 blocked`. */
function sentence(whole: string, parts: readonly string[]): string {
  return parts.length === 0 ? whole : `${whole}: ${parts.join(", ")}`;
}

/** Only the marks that occur. */
function legend(nodes: readonly Node[], width: number, paint: Paint): readonly string[] {
  const seen = new Set(nodes.map(({ facts }) => facts.mark));
  const entries = (Object.keys(MARKS) as Mark[])
    .filter((mark) => seen.has(mark))
    .map((mark) => `${MARKS[mark].glyph} ${mark}`);
  return entries.length === 0
    ? []
    : wrap(`marks: ${entries.join("   ")}`, width - 2, 2).map((line) => `  ${paint("quiet", line)}`);
}
