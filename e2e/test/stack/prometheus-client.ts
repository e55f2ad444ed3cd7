export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  /** Time in seconds, and the value as a text. */
  readonly value: readonly [number, string];
}

export interface Rule {
  readonly name: string;
  readonly query: string;
  readonly health: string;
  readonly lastError?: string;
  readonly state: "inactive" | "pending" | "firing";
}

/** Prometheus's own API, as Grafana uses it. Throws its error where it refuses. */
export class PrometheusClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async query(query: string, time?: number): Promise<readonly Sample[]> {
    const parameters = { query, ...(time === undefined ? {} : { time: String(time) }) };
    return (await this.#get<{ readonly result: readonly Sample[] }>("query", parameters)).result;
  }

  labelValues(label: string, metric: string): Promise<readonly string[]> {
    return this.#get(`label/${label}/values`, { "match[]": metric });
  }

  async exemplars(
    query: string,
    end: number,
  ): Promise<readonly { readonly labels: Readonly<Record<string, string>> }[]> {
    const series = await this.#get<
      readonly { readonly exemplars: readonly { readonly labels: Record<string, string> }[] }[]
    >("query_exemplars", { query, start: String(end - 600), end: String(end + 60) });
    return series.flatMap(({ exemplars }) => exemplars);
  }

  async rules(): Promise<readonly Rule[]> {
    return (
      await this.#get<{ readonly groups: readonly { readonly rules: readonly Rule[] }[] }>("rules", {})
    ).groups.flatMap(({ rules }) => rules);
  }

  async #get<Data>(path: string, parameters: Readonly<Record<string, string>>): Promise<Data> {
    const response = await fetch(`${this.#url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
    const body = (await response.json()) as { readonly status: string; readonly error?: string; readonly data: Data };
    if (body.status !== "success") throw new Error(`${parameters["query"] ?? path}: ${body.error ?? response.status}`);
    return body.data;
  }
}
