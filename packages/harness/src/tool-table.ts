import type { JsonObject, Risk } from "@hookscope/hooks";
import { cut } from "@hookscope/hooks/internal";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

import { HarnessError } from "./errors.ts";
import type { ToolDefinition } from "./model.ts";
import type { Tool } from "./tool.ts";

interface Entry {
  readonly tool: Tool;
  readonly validate: ValidateFunction;
}

/** The tools of a harness by name, with their schemas compiled. */
export class ToolTable {
  readonly #entries = new Map<string, Entry>();
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: true, addUsedSchema: false });

  /** @throws HarnessError TOOL_INVALID, TOOL_NAME_DUPLICATE, TOOL_SCHEMA_INVALID */
  add(tool: Tool): () => void {
    checkTool(tool);
    if (this.#entries.has(tool.name)) {
      throw new HarnessError("TOOL_NAME_DUPLICATE", `a tool named "${tool.name}" exists already.`);
    }
    this.#entries.set(tool.name, { tool, validate: this.#compile(tool) });
    return () => {
      if (this.#entries.get(tool.name)?.tool === tool) this.#entries.delete(tool.name);
    };
  }

  get(name: string): Tool | undefined {
    return this.#entries.get(name)?.tool;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  all(): readonly Tool[] {
    return [...this.#entries.values()].map(({ tool }) => tool);
  }

  definitions(): readonly ToolDefinition[] {
    return this.all().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  }

  /** What is wrong with an input, as a sentence for the model; undefined when it is valid. */
  problemWith(name: string, input: JsonObject): string | undefined {
    const problems = this.problemsWith(name, input);
    if (problems.length === 0) return undefined;
    const told = problems.slice(0, MAX_PROBLEMS).map((problem) => cut(problem, MAX_PROBLEM_LENGTH));
    const more = problems.length - told.length;
    if (more > 0) told.push(`and ${more} more problems`);
    return `the input of ${name} does not fit its schema: ${told.join("; ")}`;
  }

  /** Each as a phrase; none where it fits. */
  problemsWith(name: string, input: JsonObject): readonly string[] {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.validate(input)) return [];
    return (entry.validate.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath === "" ? "the input" : instancePath} ${message ?? "is not valid"}${detail(params)}`;
    });
  }

  #compile(tool: Tool): ValidateFunction {
    const schema = tool.inputSchema;
    if (typeof schema !== "object" || schema === null || schema["type"] !== "object") {
      throw new HarnessError(
        "TOOL_SCHEMA_INVALID",
        `tool "${tool.name}": inputSchema must be a JSON Schema with "type": "object".`,
      );
    }
    try {
      const { $schema: _, $id: __, ...rest } = schema;
      const validate = this.#ajv.compile(rest);
      // It would be kept for ever, and tools come and go.
      this.#ajv.removeSchema(rest);
      return validate;
    } catch (error) {
      throw new HarnessError(
        "TOOL_SCHEMA_INVALID",
        `tool "${tool.name}": ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }
}

/** What a model is told must not be longer than what it can read. */
const MAX_PROBLEMS = 10;
const MAX_PROBLEM_LENGTH = 200;

function checkTool(tool: Tool): void {
  const given: unknown = tool;
  if (given === null || !["object", "function"].includes(typeof given)) {
    const kind = given === null ? "null" : typeof given;
    throw new HarnessError("TOOL_INVALID", `a tool must be an object, and one is ${kind}.`);
  }
  if (typeof tool.name !== "string" || tool.name.trim() === "") {
    throw new HarnessError("TOOL_INVALID", "a tool needs a non-blank `name`; the model calls it by that.");
  }
  if (typeof tool.execute !== "function") {
    throw new HarnessError("TOOL_INVALID", `tool "${tool.name}": execute is no function.`);
  }
}

/** Which property is one too many, or which values there are. */
function detail(params: Readonly<Record<string, unknown>>): string {
  const { additionalProperty, allowedValues } = params;
  if (typeof additionalProperty === "string") return ` ("${additionalProperty}")`;
  return Array.isArray(allowedValues) ? `: ${allowedValues.map((value) => JSON.stringify(value)).join(", ")}` : "";
}

/** How dangerous this call is; `unknown` where the tool does not say, or fails to. */
export function riskOf(tool: Tool, input: JsonObject): Risk {
  if (typeof tool.risk !== "function") return tool.risk ?? "unknown";
  try {
    const risk = tool.risk(input);
    return RISKS.has(risk) ? risk : "unknown";
  } catch {
    return "unknown";
  }
}

const RISKS: ReadonlySet<Risk> = new Set<Risk>(["low", "medium", "high", "unknown"]);
