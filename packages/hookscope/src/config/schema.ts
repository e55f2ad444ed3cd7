import { BACKEND_HINTS } from "@hookscope/telemetry";
import { z } from "zod";

import { PERMISSION_MODES } from "./permission-modes.ts";
import type { Settings } from "./settings.ts";

const text = (description: string): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe(description);
const texts = (description: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string().min(1)).optional().describe(description);
const flag = (description: string): z.ZodOptional<z.ZodBoolean> => z.boolean().optional().describe(description);
const address = (description: string): z.ZodOptional<z.ZodURL> =>
  z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .optional()
    .describe(description);
const perMillion = (description: string): z.ZodNumber => z.number().min(0).describe(description);

const telemetry = z.strictObject({
  endpoint: address("Where spans are sent by OTLP; `OTEL_EXPORTER_OTLP_ENDPOINT` wins. Without either they stay here."),
  service_name: text("The service's name; `hookscope`. `OTEL_SERVICE_NAME` wins."),
  record_content: flag("Prompts, arguments, results and replies on spans, redacted; false."),
  turn_sampler: flag("Send only turns that matter and a share of the rest; false."),
  backend_hints: z
    .array(z.enum(BACKEND_HINTS))
    .optional()
    .describe("Backends whose own attributes are set as well; none."),
  jaeger_url: address("A Jaeger's address, to print a link to each trace; `HOOKSCOPE_JAEGER_URL` wins."),
  trace_store: text("The local trace store's file; `traces.db` in the state folder."),
  flush_timeout_ms: z.int().min(1).optional().describe("How long the end may wait for spans to be sent; 2,000 ms."),
});

const price = z.strictObject({
  input_mtok: perMillion("US dollars for a million tokens read."),
  output_mtok: perMillion("US dollars for a million tokens written."),
  cache_read_mtok: perMillion("Read from the provider's cache; as `input_mtok`.").optional(),
  cache_write_mtok: perMillion("Written to the provider's cache; as `input_mtok`.").optional(),
  reasoning_mtok: perMillion("Of reasoning; as `output_mtok`.").optional(),
});

const budget = z.strictObject({
  name: z.string().min(1).describe("Its name in metrics and messages."),
  scope: z.enum(["session", "profile", "all"]).describe("Whose spending counts."),
  period: z
    .enum(["day", "month", "total"])
    .optional()
    .describe("UTC days or months, or from the beginning; `total` for sessions, else `day`."),
  usd: z.number().gt(0).describe("US dollars."),
  profile: text("Only turns of this profile."),
  on_message: z.enum(["block", "allow"]).optional().describe("What happens to a message once it is spent; `block`."),
  on_tool_call: z
    .enum(["ask", "block", "allow"])
    .optional()
    .describe("What happens to a tool call once it is spent; `ask`."),
});

const metrics = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("Serves `/metrics` there while a command runs turns; 0 lets the system choose. Not served without it."),
  host: text("The address to listen on; 127.0.0.1. Another one shows the metrics to whoever reaches it."),
  push: address("A Pushgateway, such as http://127.0.0.1:9091, that gets the metrics when a command ends."),
  ledger: z
    .union([z.boolean(), z.string().min(1)], { error: "must be true, false or a path" })
    .optional()
    .describe(
      "The file in which cost is kept; true: `ledger.db` in the state folder; false: none. Left out: `run` keeps it, `demo` does not.",
    ),
  prices: z
    .record(z.string().min(1), price)
    .optional()
    .describe("By `model` or `provider/model`; before those bundled."),
  budgets: z
    .array(budget)
    .optional()
    .describe(
      "A spent one keeps messages from starting a turn, ends the turn after its round, and asks before tool calls: the hook and the mod `budget`.",
    ),
});

const action = z.enum(["allow", "ask", "block"]);

const rule = z.strictObject({
  name: text("Its name, in reasons and questions."),
  tool: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: "must be a glob or a list of globs" })
    .optional()
    .describe("Globs of tool names; any tool without it."),
  risk: z
    .array(z.enum(["low", "medium", "high", "unknown"]))
    .min(1)
    .optional()
    .describe("The call's risk is one of these."),
  args: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe("Regular expressions by argument; all must match. For `allow` they must match the whole of it."),
  tags: z
    .strictObject({
      key: z.string().min(1).describe("The label's name."),
      value: z.string().optional().describe("Its value; any value without it."),
    })
    .optional()
    .describe("A label of the turn."),
  action: action.describe("What happens to the call."),
  reason: text("With `block`: what the model is told."),
  question: text("With `ask`: what the person is asked."),
});

const policy = z.strictObject({
  rules: z.array(rule).optional().describe("The first that matches decides."),
  default_rules: flag("The built-in rules come after yours; true."),
  default: action.optional().describe("What happens to a call that no rule matches; `allow`."),
});

/** The whole file. Each description ends with the default where there is one. */
export const SETTINGS: z.ZodType<Settings> = z.strictObject({
  telemetry: telemetry.optional().describe("Where spans go."),
  metrics: metrics.optional().describe("Metrics, prices, budgets and the ledger."),
  policy: policy.optional().describe("The hook `approval_policy`, always the first."),
  plugins: z
    .strictObject({ paths: texts("Modules whose default export is a plugin; their hooks run in this order.") })
    .optional()
    .describe("Plugins. One that cannot be loaded keeps everything from starting."),
  mods: z
    .strictObject({
      paths: texts("Files, or folders with an index file; they win names over the user's and the workspace's mods."),
      required: texts("Names of mods without which nothing starts."),
    })
    .optional()
    .describe("Mods beside those of the config folder's `mods` and of a trusted workspace's `.hookscope/mods`."),
  sessions: z
    .strictObject({
      enabled: flag("Whether `run` records its session; true."),
      directory: text("The folder of all sessions; `sessions` in the state folder."),
      titles: flag("Each is given a title by a model call of its own; false."),
      compact_above_tokens: z
        .int()
        .min(1_000)
        .optional()
        .describe("A conversation of more estimated tokens is summed up for the model; never, without it."),
    })
    .optional()
    .describe("Durable sessions: one folder for each working directory."),
  agent: z
    .strictObject({
      model: text("`provider:name`, for `run`; `--model` wins."),
      base_url: address("Another address of the provider's API."),
      profile: text("For spans, metrics, budgets and policies."),
      permission_mode: z
        .enum(PERMISSION_MODES)
        .optional()
        .describe("How much the agent may do unasked; without it the approval policy alone decides."),
      max_rounds: z.int().min(1).optional().describe("Rounds of one turn; 50."),
    })
    .optional()
    .describe("The agent of `run`."),
});
