/**
 * Tests of properties try the same examples each time, so that a change fails for what it did, never for its luck.
 * `PROPERTY_SEED=random` tries others, `PROPERTY_SEED=<number>` those of one seed: a failure prints its own.
 */
export const DEFAULT_SEED = 1;

/** @returns undefined where fast-check is to choose */
export function readPropertySeed(given: string | undefined): number | undefined {
  if (given === undefined || given === "") return DEFAULT_SEED;
  if (given === "random") return undefined;
  if (/^-?\d{1,10}$/.test(given)) return Number(given);
  throw new Error(
    `PROPERTY_SEED is "${given}"; give a whole number (a failed property prints its seed), or "random" for new examples.`,
  );
}

interface SeedPlugin {
  readonly name: string;
  readonly enforce: "pre";
  transform(code: string): { readonly code: string; readonly map: null } | undefined;
}

/** Sets the seed in each module that imports fast-check, which keeps its settings for itself; no other one loads it. */
export function propertySeed(seed: number | undefined): SeedPlugin {
  return {
    name: "property-seed",
    enforce: "pre",
    transform(code) {
      if (seed === undefined || !IMPORT.test(code)) return undefined;
      const setting = `import { configureGlobal as seedProperties } from "fast-check"; seedProperties({ seed: ${seed} });`;
      return { code: `${code}\n${setting}\n`, map: null };
    },
  };
}

const IMPORT = /^import .* from "fast-check";$/m;
