import { configurationKeys } from "hookscope";

import { table } from "./table.ts";

const INTRODUCTION = `<!-- The keys are generated from packages/hookscope/src/config/schema.ts by \`npm run docs:generate\`. Do not edit. -->

# Configuration

The command works without any. What it may be told is in one file, \`hookscope.toml\`:

\`\`\`toml
[agent]
model = "anthropic:NAME"
profile = "release"

[telemetry]
endpoint = "http://localhost:4318"
jaeger_url = "http://localhost:16686"

[policy]
rules = [
  { name = "no force push", tool = "shell", args = { command = "push.*--force" }, action = "block", reason = "history is shared" },
  { tool = "write_file", args = { file_path = "^docs/" }, action = "ask" },
]

[plugins]
paths = ["./hooks/audit.ts"]

[mods]
paths = ["./mods/guard.ts"]
required = ["guard"]

[metrics]
port = 9464
prices."local/small" = { input_mtok = 0.1, output_mtok = 0.4 }

[[metrics.budgets]]
name = "a day"
scope = "all"
usd = 5
\`\`\`

## Which file is read

The first that is there, and only that one:

1. the one named by \`--config\`;
2. \`hookscope.toml\` in the working directory, once the workspace is trusted: it can run code and weaken the policy. Look at
   it, then run \`hookscope trust\`. Before that a command ends with \`CONFIG_UNTRUSTED\`;
3. \`hookscope.toml\` in the config folder: \`$XDG_CONFIG_HOME/hookscope\`, usually \`~/.config/hookscope\`.

A flag wins over the environment, the environment over the file. Traces, sessions, the ledger and the list of trusted
workspaces are in the state folder: \`$XDG_STATE_HOME/hookscope\`, usually \`~/.local/state/hookscope\`. \`HOOKSCOPE_HOME\`, where
it is set, is both folders. Paths in the file are relative to the file. Keys of providers come from the environment alone.

A mistake is said with its line, and nothing is started:

\`\`\`
hookscope: CONFIG_INVALID: hookscope.toml:4: there is no setting telemetry.endpont; did you mean endpoint?
\`\`\`

\`hookscope doctor\` shows what came of it: hooks and mods as they are registered in a runtime that was really built, and
whether each file and port can be used.

## The order of hooks

At each point: \`approval_policy\`; then the plugins, as listed; then the exporters \`usage\` (where metrics are served), \`cost\`
and \`budget\` (where there are budgets). No exporter is at \`pre_tool_call\`, where its failure would block; \`budget\` is a policy,
and is.`;

/** docs/configuration.md: how the file is found, then every key from the schema. */
export function configurationDocument(): string {
  const keys = configurationKeys();
  const sections = keys
    .filter(({ name }) => !name.includes("."))
    .map((section) => {
      const rows = keys
        .filter(({ name }) => name.startsWith(`${section.name}.`))
        .map(({ name, type, required, description }) => [
          `\`${name.slice(section.name.length + 1)}\``,
          `${type}${required ? ", required" : ""}`,
          description,
        ]);
      return `## [${section.name}]\n\n${section.description}\n\n${table(["key", "type", "what it is; the default"], rows)}`;
    });
  return `${[INTRODUCTION, ...sections].join("\n\n")}\n`;
}
