import { expect, test } from "vitest";

import { createRedactor } from "../src/redact/index.ts";
import { digits, join, letters, mixed } from "./redact-samples.ts";

const redactor = createRedactor();

/** Secrets whose beginning is a word and a separator. One without, as of AWS, has no beginning in the middle of a word. */
const TOKENS: readonly (readonly [id: string, secret: string])[] = [
  ["github_token", join("gh", "p_", mixed(36))],
  ["gitlab_token", join("glpat", "-", mixed(20))],
  ["npm_token", join("npm", "_", mixed(36))],
  ["groq_api_key", join("gsk", "_", mixed(52))],
  ["huggingface_token", join("hf", "_", letters(34))],
  ["vault_token", join("hv", "s.", mixed(95))],
  ["stripe_key", join("sk_", "live_", mixed(24))],
];

test.for(TOKENS)("%s: of the same one three times in a row nothing stays", ([, secret]) => {
  expect(redactor.text(`see ${secret.repeat(3)} end`)).toMatch(/^see (?:\[redacted:[a-z_]+\])+ end$/);
});

const PAIRS = TOKENS.flatMap(([first, one]) =>
  TOKENS.filter(([second]) => second !== first).map(([second, two]) => [first, second, one, two] as const),
);

test.for(PAIRS)("%s and %s, joined without anything between: nothing of either stays", ([, , one, two]) => {
  expect(redactor.text(`see ${one}${two} end`)).toMatch(/^see (?:\[redacted:[a-z_]+\])+ end$/);
});

test.for(TOKENS)("%s: right behind a word it is found, and the word stays", ([id, secret]) => {
  expect(redactor.text(`seetoken7${secret} end`)).toBe(`seetoken7[redacted:${id}] end`);
  expect(redactor.text(`seetoken${secret} end`)).toBe(`seetoken[redacted:${id}] end`);
});

const FOLLOWED: readonly (readonly [id: string, secret: string, rest: string])[] = [
  ["npm_token", join("npm", "_", mixed(36)), "_backup"],
  ["npm_token", join("npm", "_", mixed(36), "and"), ""],
  ["notion_token", join("secret", "_", mixed(43), "and"), ""],
  ["telegram_token", join(digits(10), ":A", "A", mixed(33), "_backup"), ""],
];

test.for(FOLLOWED)("%s: with a word right behind it, it goes, perhaps with that word", ([id, secret, rest]) => {
  expect(redactor.text(`see ${secret}${rest} end`)).toBe(`see [redacted:${id}]${rest} end`);
});

test("a word that only looks as if it ended with a beginning stays", () => {
  for (const text of [
    "half_life_of_the_thing",
    "xnpm_install",
    "npm_package_devDependencies_eslint_plugin_import",
    "msg. The end",
    "a-risk-assessment-framework-implementation-2",
    "disk_test_results_of_some_long_run_name",
    "benchmark_test_results_2_of_the_network",
    "system_info_collector_service_configuration_defaults",
    "kotlin_api_documentation_generation_pipeline",
    "task-ant-design-upgrade-to-version-5",
    "ERROR_MSG.errors.invalidConfigurationValue",
    "pnpm_config_userconfig_path_of_current_p1",
  ])
    expect(redactor.text(text)).toBe(text);
});
