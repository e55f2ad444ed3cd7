import type { Telemetry } from "@hookscope/telemetry";

/** Where a command's spans go beside the trace store, as a person reads it; empty: nowhere. */
export function sentTo({ destinations }: Pick<Telemetry, "destinations">): readonly string[] {
  return destinations.flatMap((destination) => {
    if (destination.kind === "otlp") return [destination.url];
    // In a command the console is standard error.
    return destination.kind === "console" ? ["standard error"] : [];
  });
}
