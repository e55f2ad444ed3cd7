import { expect, test } from "vitest";

import { createRedactor } from "../src/redact/index.ts";
import { digits, hex, join, jwt, letters, mixed } from "./redact-samples.ts";

const redactor = createRedactor();

/** One secret of each way a shape may begin: after no letter, after no letter or digit, after neither nor a dash. */
const SECRETS: readonly (readonly [id: string, secret: string])[] = [
  ["github_token", join("gh", "p_", mixed(36))],
  ["gitlab_token", join("glpat", "-", mixed(20))],
  ["npm_token", join("npm", "_", mixed(36))],
  ["aws_access_key_id", join("AKI", "A", mixed(16).toUpperCase())],
  ["slack_token", join("xox", "b-", digits(12), "-", mixed(24))],
  ["huggingface_token", join("hf", "_", letters(34))],
  ["sk_api_key", join("sk-", "or-v1-", hex(40))],
  ["twilio_key", join("S", "K", hex(32))],
  ["jwt", jwt()],
];

/** What stands right before and right behind a secret, in a text that was put into another one. */
const AROUND: readonly (readonly [what: string, before: string, after: string])[] = [
  ["line breaks of JSON", String.raw`\n`, String.raw`\n`],
  ["line breaks of JSON in JSON", String.raw`\\n`, String.raw`\\n`],
  ["line breaks of JSON in JSON in JSON", String.raw`\\\\n`, String.raw`\\\\n`],
  ["tabs of JSON", String.raw`\t`, String.raw`\r\n`],
  ["quotes of JSON", String.raw`\"`, String.raw`\"`],
  ["quotes of JSON in JSON", String.raw`\\\"`, String.raw`\\\"`],
  ["a quote as its code", String.raw`\u0022`, String.raw`\u0022`],
  ["an equals sign as its code", String.raw`\u003d`, String.raw`\u0026`],
  ["codes of a program's text", String.raw`\x3d`, String.raw`\x20`],
  ["a blank of a URL", "%20", "%20"],
  ["an equals sign of a URL", "%3D", "%26"],
  ["the same, twice encoded", "%253D", "%2526"],
  ["quotes of HTML", "&quot;", "&quot;"],
  ["codes of HTML", "&#61;", "&#x3d;"],
  ["a terminal's colours", "\u001b[31m", "\u001b[0m"],
  ["a terminal's colours in JSON", String.raw`\u001b[1;31m`, String.raw`\u001b[0m`],
  ["a terminal's colours in a script", String.raw`\e[31m`, String.raw`\e[0m`],
];

test.for(AROUND.flatMap((around) => SECRETS.map((secret) => [...around, ...secret] as const)))(
  "%s (%s … %s) hide no %s",
  ([, before, after, id, secret]) => {
    const redacted = redactor.text(`see${before}${secret}${after}end`);
    expect(redacted).toBe(`see${before}[redacted:${id}]${after}end`);
    expect(redactor.text(redacted)).toBe(redacted);
  },
);

const ASSIGNMENTS: readonly (readonly [text: string, redacted: string])[] = [
  [String.raw`run it\n--token abc\nnext`, String.raw`run it\n--token [redacted]\nnext`],
  [String.raw`a\nauth=abc`, String.raw`a\nauth=[redacted]`],
  ["next=%2Fa%3Fpassword%3Dhunter2%26page%3D2", "next=%2Fa%3Fpassword%3D[redacted]%26page%3D2"],
  [String.raw`password\u003dhunter2\u0026page\u003d2`, String.raw`password\u003d[redacted]\u0026page\u003d2`],
  ["<td>password&quot;: &quot;hunter2&quot;, x</td>", "<td>password&quot;: &quot;[redacted]&quot;, x</td>"],
  ["redis%3A%2F%2F%3As3cret%40cache%3A6379", "redis%3A%2F%2F[redacted:url_credentials]cache%3A6379"],
  [
    String.raw`{\"body\":\"{\\\"token\\\":\\\"abc\\\",\\\"n\\\":1}\"}`,
    String.raw`{\"body\":\"{\\\"token\\\":\\\"[redacted]\\\",\\\"n\\\":1}\"}`,
  ],
];

test.for(ASSIGNMENTS)("%s: only the value goes", ([text, redacted]) => {
  expect(redactor.text(text)).toBe(redacted);
  expect(redactor.text(redacted)).toBe(redacted);
});

test("a secret written in codes goes whole", () => {
  const [, token = ""] = SECRETS[0] ?? [];
  const written = Array.from(token, (character) => `%${character.charCodeAt(0).toString(16)}`).join("");
  expect(redactor.text(`a ${written} b`)).toBe("a [redacted:github_token] b");
});

const HARMLESS: readonly string[] = [
  String.raw`C:\new\tools\node\bin\x64\u\eslint.cmd`,
  String.raw`/\bkey-[0-9a-f]{32}\b/ and \n, \t or \u0041 alone`,
  "100%de 50%20off &copy; &amp; &#9999; %zz",
  String.raw`{"text":"the \"basic\" idea:\nnothing is secret\n"}`,
  "\u001b[32mok\u001b[0m 3 passed",
  "https://host.example/a%20b?next=%2Fhome%3Fpage%3D2",
];

test.for(HARMLESS)("stays as it is: %s", (text) => {
  expect(redactor.text(text)).toBe(text);
});

test("a log of a million characters, all of it escapes, is worked through to its end", () => {
  for (const piece of [String.raw`\n`, String.raw`\\`, "%3D", "&quot;", "\u001b[0m", "%25"]) {
    const text = `${piece.repeat(Math.ceil(1_000_000 / piece.length))} password="hunter2" end`;
    expect(redactor.text(text).endsWith(' password="[redacted]" end')).toBe(true);
  }
});
