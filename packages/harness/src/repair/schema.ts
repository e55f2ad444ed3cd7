import type { JsonObject, JsonValue } from "@hookscope/hooks";

/** What the rules read of a tool's schema: its properties at the top, what types each takes, and which must be there. */
export class InputSchema {
  readonly #properties: JsonObject;
  readonly #required: readonly JsonValue[];

  constructor(schema: JsonObject) {
    const { properties, required } = schema;
    this.#properties = isObject(properties) ? properties : {};
    this.#required = Array.isArray(required) ? required : [];
  }

  get names(): readonly string[] {
    return Object.keys(this.#properties);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#properties, name);
  }

  requires(name: string): boolean {
    return this.#required.includes(name);
  }

  /** Whether the property says that it takes this type. One that says nothing takes none for certain. */
  takes(name: string, type: string): boolean {
    const property = this.has(name) ? this.#properties[name] : undefined;
    if (!isObject(property)) return false;
    const types = property["type"];
    return Array.isArray(types) ? types.includes(type) : types === type;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
