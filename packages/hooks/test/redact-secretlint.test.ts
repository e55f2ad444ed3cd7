import { lintSource } from "@secretlint/core";
import { creator, rules } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, test } from "vitest";
import { createRedactor } from "../src/redact/index.ts";
import { MESSAGES_WITHOUT_SAMPLE, RULES_WITHOUT_SECRETS, SAMPLES, type Sample } from "./redact-samples.ts";

const redactor = createRedactor();
const shortName = (ruleId: string): string => ruleId.replace("@secretlint/secretlint-rule-", "");

/** `rule/message` of everything secretlint finds, in order and once each. */
async function findings({ text, fileName = "text.txt" }: Sample): Promise<readonly string[]> {
  const rule = { id: creator.meta.id, rule: creator, rules: [{ id: AWS, options: { enableIDScanRule: true } }] };
  const { messages } = await lintSource({
    source: { content: text, filePath: fileName, ext: fileName.replace(/^.*(?=\.)/, ""), contentType: "text" },
    options: { config: { rules: [rule] }, noPhysicFilePath: true },
  });
  return [...new Set(messages.map((message) => `${shortName(message.ruleId)}/${message.messageId}`))];
}
const AWS = "@secretlint/secretlint-rule-aws";

const PRESET_MESSAGES = rules
  .filter((rule) => !RULES_WITHOUT_SECRETS.includes(shortName(rule.meta.id)))
  .flatMap((rule) => Object.keys(rule.messages).map((messageId) => ({ rule: shortName(rule.meta.id), messageId })))
  .filter(({ messageId }) => !MESSAGES_WITHOUT_SAMPLE.includes(messageId));

test.for(PRESET_MESSAGES)(
  "$rule/$messageId: secretlint finds the samples, and nothing once they are redacted",
  async ({ rule, messageId }) => {
    const samples = SAMPLES[rule]?.[messageId] ?? [];
    expect(samples, "a message of the preset needs a sample").not.toHaveLength(0);
    for (const sample of samples) {
      expect(await findings(sample)).toContain(`${rule}/${messageId}`);
      expect(await findings({ ...sample, text: redactor.text(sample.text) })).toEqual([]);
    }
  },
);

test("inside a JSON text, a command line and a sentence, the samples of one word are found and redacted as well", async () => {
  const wrap: readonly ((text: string) => string)[] = [
    (text) => JSON.stringify({ command: `deploy '${text}'` }),
    (text) => `deploy --env prod "${text}" && echo done`,
    (text) => `I used ${text}, and it failed.`,
  ];
  const texts = Object.values(SAMPLES)
    .flatMap((messages) => Object.values(messages).flat())
    .filter((sample) => sample.fileName === undefined && !/[\s"\\]/.test(sample.text));
  for (const { text } of texts) {
    for (const around of wrap) {
      expect(await findings({ text: around(text) })).not.toEqual([]);
      expect(await findings({ text: redactor.text(around(text)) })).toEqual([]);
    }
  }
});

test("all samples in one text are redacted at once", async () => {
  const text = Object.values(SAMPLES)
    .flatMap((messages) => Object.values(messages).flat())
    .map((sample) => sample.text)
    .join("\n");
  expect(await findings({ text: redactor.text(text) })).toEqual([]);
});
