import { realpath } from "node:fs/promises";
import { pathToFileURL } from "node:url";

import type { Clock } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import type { ModApi, ModFactory } from "./mod-api.ts";

/**
 * Imports a mod's file, natively, and runs its factory, both within the limit.
 *
 * @throws HarnessError MOD_LOAD_FAILED
 */
export async function importMod(path: string, api: ModApi, clock: Clock, limitMs: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = clock.setTimer(
    () => reject(failed(`it was not loaded within ${limitMs} ms; its top level, or its factory, never settles.`)),
    limitMs,
  );
  const loading = importAndRun(path, api);
  try {
    await Promise.race([loading, late]);
  } finally {
    timer.cancel();
    loading.catch(ignore);
    late.catch(ignore);
  }
}

async function importAndRun(path: string, api: ModApi): Promise<void> {
  const factory = readFactory(await importModule(path));
  try {
    await factory(api);
  } catch (error) {
    throw failed(`its factory failed: ${describe(error)}`, error);
  }
}

async function importModule(path: string): Promise<unknown> {
  try {
    const { href } = pathToFileURL(await realpath(path));
    return await import(href);
  } catch (error) {
    // A syntax error does not say where it is, but for its own process.
    const how = error instanceof SyntaxError ? `. \`node ${path}\` shows where.` : "";
    throw failed(`it cannot be imported: ${describe(error)}${how}`, error);
  }
}

function readFactory(module: unknown): ModFactory {
  const factory: unknown = (module as { readonly default?: unknown }).default;
  if (factory === undefined) throw failed("it has no default export; export its factory by default.");
  if (typeof factory !== "function") {
    throw failed(`its default export is of type ${typeof factory}; it must be a function that is given \`cmd\`.`);
  }
  return factory as ModFactory;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function failed(problem: string, cause?: unknown): HarnessError {
  return new HarnessError("MOD_LOAD_FAILED", problem, { cause });
}

function ignore(): void {}
