import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { readSettings } from "../../src/config/read-settings.ts";
import { errorLine } from "../../src/errors.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "hookscope-config-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function read(text: string): unknown {
  const path = join(directory, "hookscope.toml");
  writeFileSync(path, text);
  return readSettings(path);
}

function problemOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    return errorLine(error).replaceAll(`${directory}/`, "");
  }
  throw new Error("it was accepted");
}

test("every table is read as it is written", () => {
  const text = `
[telemetry]
endpoint = "http://127.0.0.1:4318"
backend_hints = ["langfuse"]

[metrics]
port = 9464
ledger = "costs.db"
prices."local/small" = { input_mtok = 1.5, output_mtok = 3 }

[[metrics.budgets]]
name = "day"
scope = "all"
usd = 5

[policy]
default = "ask"
rules = [{ tool = "read_*", action = "allow" }]

[plugins]
paths = ["./audit.ts"]

[mods]
required = ["guard"]

[sessions]
enabled = false

[agent]
model = "anthropic:some-model"
permission_mode = "accept-edits"
`;
  expect(read(text)).toEqual({
    telemetry: { endpoint: "http://127.0.0.1:4318", backend_hints: ["langfuse"] },
    metrics: {
      port: 9464,
      ledger: "costs.db",
      prices: { "local/small": { input_mtok: 1.5, output_mtok: 3 } },
      budgets: [{ name: "day", scope: "all", usd: 5 }],
    },
    policy: { default: "ask", rules: [{ tool: "read_*", action: "allow" }] },
    plugins: { paths: ["./audit.ts"] },
    mods: { required: ["guard"] },
    sessions: { enabled: false },
    agent: { model: "anthropic:some-model", permission_mode: "accept-edits" },
  });
});

test("an empty file leaves every default", () => {
  expect(read("# nothing yet\n")).toEqual({});
});

test.for([
  [
    '[telemetry]\n\n# where to\nendpont = "http://127.0.0.1"\n',
    "CONFIG_INVALID: hookscope.toml:4: there is no setting telemetry.endpont; did you mean endpoint?",
  ],
  ["\n[polcy]\n", "CONFIG_INVALID: hookscope.toml:2: there is no setting polcy; did you mean policy?"],
  [
    "[sessions]\nzzzzzzzzzz = 1\n",
    "CONFIG_INVALID: hookscope.toml:2: there is no setting sessions.zzzzzzzzzz; there are enabled, directory, titles, compact_above_tokens",
  ],
  [
    '[policy]\nrules = [\n  { tool = "shell", action = "ask" },\n  { tol = "shell", action = "ask" },\n]\n',
    "CONFIG_INVALID: hookscope.toml:2: there is no setting policy.rules[1].tol; did you mean tool?",
  ],
  [
    '[[policy.rules]]\naction = "ask"\n\n[[policy.rules]]\nactoin = "ask"\naction = "ask"\n',
    "CONFIG_INVALID: hookscope.toml:5: there is no setting policy.rules[1].actoin; did you mean action?",
  ],
  ['[metrics]\nport = "9464"\n', "CONFIG_INVALID: hookscope.toml:2: metrics.port must be a number"],
  ["[metrics]\nport = 70000\n", "CONFIG_INVALID: hookscope.toml:2: metrics.port must be at most 65535"],
  ["[metrics]\nledger = 3\n", "CONFIG_INVALID: hookscope.toml:2: metrics.ledger must be true, false or a path"],
  [
    '[[metrics.budgets]]\nname = "day"\nscope = "all"\n',
    "CONFIG_INVALID: hookscope.toml:1: metrics.budgets[0].usd is missing",
  ],
  [
    '[metrics.prices."local/small"]\ninput_mtok = -1\noutput_mtok = 1\n',
    'CONFIG_INVALID: hookscope.toml:2: metrics.prices."local/small".input_mtok must be at least 0',
  ],
  [
    '[agent]\npermission_mode = "yoyo"\n',
    'CONFIG_INVALID: hookscope.toml:2: agent.permission_mode must be "default", "accept-edits", "plan", "yolo" or "dont-ask"; did you mean yolo?',
  ],
  [
    '[telemetry]\njaeger_url = "jaeger"\n',
    "CONFIG_INVALID: hookscope.toml:2: telemetry.jaeger_url must be an http or https address",
  ],
  [
    '[telemetry]\nendpont = "x"\n[agent]\nmax_rounds = 0\n',
    "CONFIG_INVALID: hookscope.toml:2: there is no setting telemetry.endpont; did you mean endpoint?; hookscope.toml:4: agent.max_rounds must be at least 1",
  ],
  ["[agent]\nmax_rounds = 1.5\n", "CONFIG_INVALID: hookscope.toml:2: agent.max_rounds must be a whole number"],
  ["[sessions]\ntitles = 1\n", "CONFIG_INVALID: hookscope.toml:2: sessions.titles must be true or false"],
  ['[plugins]\npaths = [""]\n', "CONFIG_INVALID: hookscope.toml:2: plugins.paths[0] must not be empty"],
  ["plugins = 3\n", "CONFIG_INVALID: hookscope.toml:1: plugins must be a table"],
  [
    '[[metrics.budgets]]\nname = "day"\nusd = 0\n',
    'CONFIG_INVALID: hookscope.toml:1: metrics.budgets[0].scope is missing: it must be "session", "profile" or "all"; hookscope.toml:3: metrics.budgets[0].usd must be more than 0',
  ],
  ["[agent]\nmodel = anthropic\n", "CONFIG_INVALID: hookscope.toml:2:9: this is no TOML: invalid value."],
] as const)("%j is refused with its line: %s", ([text, problem]) => {
  expect(problemOf(text)).toBe(problem);
});

test("a file that is not there is named", () => {
  const path = join(directory, "none.toml");
  expect(() => readSettings(path)).toThrow(`${path} cannot be read: `);
});
