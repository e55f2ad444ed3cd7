import { createRedactor } from "@hookscope/hooks";
import { expect, test } from "vitest";

const SECRET = `ghp_${"a1B2".repeat(9)}`;

test("a text that comes again gets the same answer, with a secret in it or without", () => {
  const redactor = createRedactor();
  for (let index = 0; index < 3; index += 1) {
    expect(redactor.text("agent_hook.decision")).toBe("agent_hook.decision");
    expect(redactor.text(SECRET)).toBe("[redacted:github_token]");
    expect(redactor.value({ token: "plain enough", decision: "plain enough" })).toEqual({
      token: "[redacted]",
      decision: "plain enough",
    });
  }
});

test("what one redactor found clean another one with further rules judges for itself", () => {
  const code = "order-12345";
  expect(createRedactor().text(code)).toBe(code);
  const shape = { id: "order", description: "An order", pattern: /order-\d+/, hints: ["order-"] };
  expect(createRedactor({ shapes: [shape] }).text(code)).toBe("[redacted:order]");
});

test("more different texts than are remembered are each judged right, and so are those seen first", () => {
  const redactor = createRedactor();
  const texts = Array.from({ length: 5_000 }, (_, index) => `name ${index}`);
  for (let round = 0; round < 2; round += 1) {
    expect(texts.filter((text) => redactor.text(text) !== text)).toEqual([]);
    expect(redactor.text(`name ${SECRET}`)).toBe("name [redacted:github_token]");
  }
});
