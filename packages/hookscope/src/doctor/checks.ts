import { createMetrics } from "@hookscope/metrics";

import type { Config } from "../config/config.ts";
import { sentTo } from "../destinations.ts";
import { errorLine } from "../errors.ts";
import { modelFromName } from "../model-from-name.ts";
import type { Recording } from "../recording.ts";
import { openLedger } from "../runtime/ledger.ts";
import { metricsAddress } from "../runtime/metering.ts";
import { makeSessionFolder, openSessionStore } from "../sessions.ts";
import type { Terminal } from "../terminal.ts";
import { count } from "../timeline/format.ts";
import { openTraceStore } from "../trace-store.ts";

/** `off`: it is not asked for. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "off" | "problem";
  readonly detail: string;
}

export interface Surroundings {
  readonly terminal: Terminal;
  readonly config: Config;
  readonly recording: Pick<Recording, "telemetry" | "logger">;
}

/** Each is tried as a command would do it. */
export async function checkSurroundings(surroundings: Surroundings): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      checks.push({ name, ...(await check(surroundings)) });
    } catch (error) {
      checks.push(failed(name, error));
    }
  }
  return checks;
}

export function failed(name: string, error: unknown): Check {
  return { name, status: "problem", detail: errorLine(error) };
}

type Finding = Omit<Check, "name">;

const CHECKS: { readonly [name: string]: (surroundings: Surroundings) => Finding | Promise<Finding> } = {
  telemetry({ terminal, recording: { telemetry } }) {
    if (!telemetry.recording)
      return problem("nothing records: is OTEL_SDK_DISABLED set, or a sampler that keeps nothing?");
    const destinations = sentTo(telemetry);
    if (destinations.length > 0)
      return ok(`recording; spans go to the trace store and to ${destinations.join(" and ")}`);
    return ok(`recording; spans go to the trace store alone: ${whyNotSent(terminal)}`);
  },
  "trace store"({ config }) {
    const store = openTraceStore(config);
    try {
      const { length } = store.turns({ limit: 1_000 });
      return ok(`${config.traceStore}, ${count(length, "turn")}`);
    } finally {
      store.close();
    }
  },
  async sessions({ terminal: { workingDirectory }, config, recording }) {
    if (config.settings.sessions?.enabled === false) return off("not recorded: enabled = false");
    const folder = makeSessionFolder(config, workingDirectory);
    const store = openSessionStore(config, workingDirectory, recording.logger);
    const sessions = await store.list();
    await store.close();
    const unreadable = sessions.filter((session) => session.problem !== undefined);
    const detail = `${folder}, ${count(sessions.length, "session")}`;
    return unreadable.length === 0
      ? ok(detail)
      : problem(`${detail}, ${unreadable.length} of which cannot be opened: ${unreadable[0]?.problem ?? ""}`);
  },
  ledger({ config: { ledger } }) {
    if (ledger === undefined) return off("not kept: ledger = false");
    openLedger(ledger.path).close();
    return ok(ledger.path);
  },
  async metrics({ config, recording: { logger } }) {
    const address = metricsAddress(config, {});
    if (address === undefined) return off("not served: give port under [metrics], or --metrics-port");
    const metrics = createMetrics({ logger });
    const { url } = await metrics.serve(address);
    await metrics.close();
    return ok(`${url} is free`);
  },
  async model({ terminal: { environment }, config: { settings } }) {
    const { model, base_url: baseUrl } = settings.agent ?? {};
    if (model === undefined) return off("none: give model under [agent], or run --model");
    await modelFromName(model, { environment, baseUrl });
    return ok(model);
  },
  async workspace({ terminal: { workingDirectory }, config: { trust } }) {
    return (await trust.isTrusted(workingDirectory))
      ? ok(`${workingDirectory} is trusted`)
      : off(`${workingDirectory} is not trusted: its own mods and hookscope.toml are not used (hookscope trust)`);
  },
};

function whyNotSent({ environment }: Terminal): string {
  const { OTEL_TRACES_EXPORTER: exporters = "" } = environment;
  return exporters.trim() === ""
    ? "no endpoint is named (OTEL_EXPORTER_OTLP_ENDPOINT)"
    : `OTEL_TRACES_EXPORTER is ${exporters.trim()}`;
}

function ok(detail: string): Finding {
  return { status: "ok", detail };
}

function off(detail: string): Finding {
  return { status: "off", detail };
}

function problem(detail: string): Finding {
  return { status: "problem", detail };
}
