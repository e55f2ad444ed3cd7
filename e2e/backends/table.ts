import { join } from "node:path";
import { BackendError } from "./error.ts";

/** A program that Hookscope's telemetry ends up in. */
export type BackendName = "jaeger" | "collector" | "prometheus" | "alertmanager";

/** Programs that Go builds from a pinned module. */
export interface GoBuild {
  readonly name: string;
  /** Folder with the Go module that pins the version. */
  readonly directory: string;
  /** Go package of each program, by the program's name. */
  readonly programs: Readonly<Record<string, string>>;
  /** For a module whose archive lacks files that its source embeds: build in a copy that has these, by path. */
  readonly completed?: { readonly module: string; readonly files: Readonly<Record<string, string>> };
  /** Go build tags. */
  readonly tags: readonly string[];
}

export interface Backend extends GoBuild {
  readonly name: BackendName;
  /** The same version as a container image, for machines without Go. */
  readonly image: string;
}

const here = import.meta.dirname;

export const BACKENDS: Readonly<Record<BackendName, Backend>> = {
  jaeger: {
    name: "jaeger",
    directory: join(here, "jaeger"),
    programs: { jaeger: "github.com/jaegertracing/jaeger/cmd/jaeger" },
    tags: [],
    image: "jaegertracing/jaeger:2.13.0",
  },
  collector: {
    name: "collector",
    directory: join(here, "collector"),
    programs: { collector: "." },
    tags: [],
    image: "otel/opentelemetry-collector-contrib:0.161.0",
  },
  prometheus: {
    name: "prometheus",
    directory: join(here, "prometheus"),
    programs: {
      prometheus: "github.com/prometheus/prometheus/cmd/prometheus",
      promtool: "github.com/prometheus/prometheus/cmd/promtool",
    },
    // Without it, the clients of some twenty cloud providers are built too, to discover what to scrape.
    tags: ["remove_all_sd"],
    image: "prom/prometheus:v3.16.0",
  },
  alertmanager: {
    name: "alertmanager",
    directory: join(here, "alertmanager"),
    programs: {
      alertmanager: "github.com/prometheus/alertmanager/cmd/alertmanager",
      amtool: "github.com/prometheus/alertmanager/cmd/amtool",
    },
    completed: {
      module: "github.com/prometheus/alertmanager",
      files: { "ui/app/dist/README.txt": "This build has the API and no web page.\n" },
    },
    tags: [],
    image: "prom/alertmanager:v0.35.0",
  },
};

export function backendOf(name: string): Backend {
  const names = Object.keys(BACKENDS);
  if (!names.includes(name)) {
    throw new BackendError("BACKEND_UNKNOWN", `there is no backend "${name}"; known are ${names.join(", ")}`);
  }
  return BACKENDS[name as BackendName];
}
