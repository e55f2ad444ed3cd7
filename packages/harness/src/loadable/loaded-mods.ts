import { HarnessError } from "../errors.ts";
import type { MessageQueue } from "../message-queue.ts";
import type { ModLoadResult } from "./load-mods.ts";
import type { LoadableMod } from "./loaded-mod.ts";
import type { ModHost } from "./registrations.ts";

/** Mods that were loaded, for the harness's option `loadedMods`, and what became of the others. */
export class LoadedMods {
  /** What the mods' `queueMessage` fills; the harness empties it. */
  readonly queue: MessageQueue;
  #results: readonly ModLoadResult[];
  readonly #mods: ReadonlyMap<string, LoadableMod>;
  readonly #required: readonly string[];
  #host: ModHost | undefined;

  constructor(
    results: readonly ModLoadResult[],
    mods: ReadonlyMap<string, LoadableMod>,
    given: { readonly queue: MessageQueue; readonly required: readonly string[] },
  ) {
    this.#results = results;
    this.#mods = mods;
    this.queue = given.queue;
    this.#required = given.required;
  }

  /** What became of each mod that was found; one that a harness refused has failed, too. */
  get results(): readonly ModLoadResult[] {
    return this.#results;
  }

  /**
   * Registers everything with a harness, in the order of loading. A mod whose registrations are refused is left out as a
   * whole, and in its place, as in that of one that was not loaded, every session of the harness has a failed invocation of
   * the mod's name: a guard that is missing must be seen where its decisions would be.
   *
   * @throws HarnessError HARNESS_OPTION_INVALID where they belong to another harness already, MOD_REQUIRED_FAILED where a
   *   required mod is refused
   */
  attach(host: ModHost): void {
    if (this.#host !== undefined) {
      throw new HarnessError(
        "HARNESS_OPTION_INVALID",
        "`loadedMods` belong to another harness already; load them anew.",
      );
    }
    this.#host = host;
    for (const { name, status, error } of this.results) {
      if (status === "failed") reportMissing(host, name, error ?? "it was not loaded.");
    }
    for (const [name, mod] of this.#mods) {
      try {
        mod.registrations.attach(host);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        this.#results = this.#results.map((result) =>
          result.name === name && result.status === "loaded" ? { ...result, status: "failed", error: problem } : result,
        );
        if (this.#required.includes(name)) {
          this.dispose();
          throw new HarnessError("MOD_REQUIRED_FAILED", `a required mod is not loaded: "${name}": ${problem}`, {
            cause: error,
          });
        }
        reportMissing(host, name, problem);
      }
    }
  }

  modFailed(modId: string, hook: string, error: unknown): void {
    this.#host?.modFailed(modId, hook, error);
  }

  /** Takes every registration away. */
  dispose(): void {
    for (const { registrations } of [...this.#mods.values()].toReversed()) registrations.dispose();
  }
}

function reportMissing(host: ModHost, name: string, problem: string): void {
  const id = `${name} (not loaded)`;
  host.registerMod({
    id,
    onSessionStart() {
      throw new Error(problem);
    },
  });
}
