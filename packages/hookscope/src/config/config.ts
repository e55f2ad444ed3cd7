import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

import { createWorkspaceTrust, type WorkspaceTrust } from "@hookscope/harness";

import { CommandError } from "../errors.ts";
import type { Terminal } from "../terminal.ts";
import { readSettings } from "./read-settings.ts";
import type { Settings } from "./settings.ts";

/** What the configuration file, the environment and the defaults come to; flags of a command win over it. */
export interface Config extends Places {
  /** The file that was read. */
  readonly file: string | undefined;
  readonly settings: Settings;
  /** What a path in the file is relative to. */
  readonly baseDirectory: string;
  /** The local trace store's file. */
  readonly traceStore: string;
  /** The folder of all sessions. */
  readonly sessionsDirectory: string;
  /** The ledger's file where it is kept; `asked`: the file says so, and it is not just the default. */
  readonly ledger: { readonly path: string; readonly asked: boolean } | undefined;
  /** Whether spans go out by OTLP. */
  readonly exportSpans: boolean;
  /** Where they go, for saying so; undefined where they do not, or to the standard address. */
  readonly endpoint: string | undefined;
  /** A Jaeger's address, for a link to the trace. */
  readonly jaegerUrl: string | undefined;
  /** What scrapers must send, as a bearer token; undefined: nothing. */
  readonly metricsToken: string | undefined;
  /** Milliseconds a flush at the end may take. */
  readonly flushTimeoutMs: number;
}

/** Where things are whatever a file says. */
export interface Places {
  /** The user's own configuration and mods. */
  readonly configDirectory: string;
  readonly stateDirectory: string;
  /** Which workspaces may run code of their own. */
  readonly trust: WorkspaceTrust;
}

export interface ConfigFlags {
  /** `--config`. */
  readonly config?: string;
}

const CONFIG_FILE = "hookscope.toml";

/**
 * Reads the file named, else that of the working directory, else that of the config folder. That of a working directory
 * can run code and weaken the policy, so it is read only where the workspace is trusted.
 *
 * @throws CommandError CONFIG_UNREADABLE, CONFIG_INVALID, CONFIG_UNTRUSTED
 */
export async function readConfig(terminal: Terminal, flags: ConfigFlags): Promise<Config> {
  return configOf(terminal, await findFile(terminal, flags));
}

/** What holds by that file, or without one. @throws CommandError CONFIG_UNREADABLE, CONFIG_INVALID */
export function configOf(terminal: Terminal, file?: string): Config {
  const { environment, workingDirectory } = terminal;
  const places = placesOf(terminal);
  const { stateDirectory } = places;
  const settings = file === undefined ? {} : readSettings(file);
  const baseDirectory = file === undefined ? workingDirectory : dirname(file);
  const { telemetry = {}, metrics = {}, sessions = {} } = settings;
  const endpoint =
    given(environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? environment["OTEL_EXPORTER_OTLP_ENDPOINT"]) ??
    telemetry.endpoint;
  const inState = (path: string | undefined, fallback: string): string =>
    path === undefined ? join(stateDirectory, fallback) : resolve(baseDirectory, path);
  const ledger = metrics.ledger ?? true;
  return {
    file,
    settings,
    baseDirectory,
    ...places,
    traceStore: inState(telemetry.trace_store, "traces.db"),
    sessionsDirectory: inState(sessions.directory, "sessions"),
    ledger:
      ledger === false
        ? undefined
        : { path: inState(ledger === true ? undefined : ledger, "ledger.db"), asked: metrics.ledger !== undefined },
    exportSpans: endpoint !== undefined || given(environment["OTEL_TRACES_EXPORTER"]) !== undefined,
    endpoint,
    jaegerUrl: (given(environment["HOOKSCOPE_JAEGER_URL"]) ?? telemetry.jaeger_url)?.replace(/\/+$/, ""),
    metricsToken: given(environment["HOOKSCOPE_METRICS_TOKEN"]),
    flushTimeoutMs: telemetry.flush_timeout_ms ?? 2_000,
  };
}

async function findFile(terminal: Terminal, { config }: ConfigFlags): Promise<string | undefined> {
  const { workingDirectory } = terminal;
  const { configDirectory, trust } = placesOf(terminal);
  if (config !== undefined) return resolve(workingDirectory, config);
  const own = join(workingDirectory, CONFIG_FILE);
  if (existsSync(own)) {
    if (await trust.isTrusted(workingDirectory)) return own;
    throw new CommandError(
      "CONFIG_UNTRUSTED",
      `${own} is not read, since it can run code and this workspace is not trusted. Look at it, then run ` +
        "`hookscope trust`, or name it with --config.",
    );
  }
  const users = join(configDirectory, CONFIG_FILE);
  return existsSync(users) ? users : undefined;
}

export function placesOf({ environment, homeDirectory }: Pick<Terminal, "environment" | "homeDirectory">): Places {
  const stateDirectory = homeOf(environment, "XDG_STATE_HOME", join(homeDirectory, ".local", "state"));
  const configDirectory = homeOf(environment, "XDG_CONFIG_HOME", join(homeDirectory, ".config"));
  return { stateDirectory, configDirectory, trust: createWorkspaceTrust({ path: join(stateDirectory, "trust.json") }) };
}

/** HOOKSCOPE_HOME, or where the XDG base directories put a program's files; a relative XDG path does not count. */
function homeOf(environment: Terminal["environment"], variable: string, fallback: string): string {
  const own = given(environment["HOOKSCOPE_HOME"]);
  if (own !== undefined) return ownHome(own);
  const base = given(environment[variable]);
  return join(base !== undefined && isAbsolute(base) ? base : fallback, "hookscope");
}

/** A folder that is not there yet is made when something is to be kept. @throws CommandError COMMAND_PATH_UNUSABLE */
function ownHome(path: string): string {
  if (!isFile(path)) return path;
  const problem = `HOOKSCOPE_HOME is ${JSON.stringify(path)}, which is no folder. Name a folder; it is made where there is none.`;
  throw new CommandError("COMMAND_PATH_UNUSABLE", problem);
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}
