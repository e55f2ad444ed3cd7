import { z } from "zod";

import { listed } from "./listed.ts";
import { SETTINGS } from "./schema.ts";

/** One key of `hookscope.toml`, for its documentation. */
export interface ConfigurationKey {
  /** `metrics.budgets[].usd`, `metrics.prices.<name>.input_mtok` */
  readonly name: string;
  /** `text`, `true or false`, `"allow", "ask" or "block"` … */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Every key of the schema, in its order; tables before what is in them. */
export function configurationKeys(): readonly ConfigurationKey[] {
  return keysOf(jsonSchema(), "");
}

/** The names that may stand in the table at `path`. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let schema: JsonSchema | undefined = jsonSchema();
  for (const key of path) schema = typeof key === "number" ? schema?.items : child(schema, String(key));
  return Object.keys(schema?.properties ?? {});
}

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
}

function jsonSchema(): JsonSchema {
  return z.toJSONSchema(SETTINGS, { io: "input" }) as JsonSchema;
}

function child(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const named = schema?.properties?.[key];
  return named ?? (schema?.additionalProperties === false ? undefined : schema?.additionalProperties);
}

function keysOf({ properties = {}, required = [] }: JsonSchema, prefix: string): readonly ConfigurationKey[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    return [
      { name, type: typeOf(schema), required: required.includes(key), description: schema.description ?? "" },
      ...keysOf(schema, `${name}.`),
      ...(schema.items === undefined ? [] : keysOf(schema.items, `${name}[].`)),
      ...(isTable(schema.additionalProperties) ? keysOf(schema.additionalProperties, `${name}.<name>.`) : []),
    ];
  });
}

function isTable(schema: JsonSchema["additionalProperties"]): schema is JsonSchema {
  return typeof schema === "object" && schema.properties !== undefined;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return listed(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return listed(schema.anyOf.map(typeOf));
  if (schema.type === "array") return `list of ${schema.items === undefined ? "values" : plural(schema.items)}`;
  return TYPES[schema.type ?? ""] ?? "value";
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  number: "number",
  integer: "whole number",
  object: "table",
};

function plural(schema: JsonSchema): string {
  if (schema.enum !== undefined) return typeOf(schema);
  return `${typeOf(schema)}s`;
}
