/** What was thrown, whatever it was, as texts. Reading it never throws. Not redacted. */
export function describeError(thrown: unknown): { readonly type: string; readonly message: string } {
  try {
    if (thrown instanceof Error) return { type: String(thrown.name), message: String(thrown.message) };
    return { type: thrown === null ? "null" : typeof thrown, message: String(thrown) };
  } catch {
    return { type: "unknown", message: "something that cannot be read was thrown" };
  }
}
