import { BackendError } from "./backends/error.ts";
import { PATIENCE_MS, poll } from "./backends/poll.ts";
import { spansOf, type OtlpTraces, type StoredSpan } from "./otlp-spans.ts";

export interface ReadTraceOptions {
  /** Wait until the trace has at least this many spans; 1 unless told. */
  readonly expectedSpans?: number;
  /** Wait until this holds for the spans; used instead of the number. */
  readonly until?: (spans: readonly StoredSpan[]) => boolean;
  /** Give up after this many milliseconds; four minutes unless told. */
  readonly timeoutMs?: number;
}

/**
 * Reads a trace back, its spans in order of their start. Waits for those that are still on their way, and throws
 * TRACE_NOT_FOUND or TRACE_INCOMPLETE, with what did arrive, when the time is up.
 */
export async function readTrace(
  queryUrl: string,
  traceId: string,
  options: ReadTraceOptions = {},
): Promise<readonly StoredSpan[]> {
  const { expectedSpans = 1, timeoutMs = PATIENCE_MS } = options;
  const isComplete = options.until ?? ((spans) => spans.length >= expectedSpans);
  let last: readonly StoredSpan[] = [];
  return poll(
    async () => {
      last = await fetchTrace(queryUrl, traceId);
      return last.length > 0 && isComplete(last) ? last : undefined;
    },
    { timeoutMs, onTimeout: () => incomplete(traceId, last, timeoutMs) },
  );
}

export interface FindTracesQuery {
  /** The resource's `service.name`. */
  readonly service: string;
  /** A span's name. */
  readonly operation?: string;
  /** Attributes of one span of the trace, or of its resource, each equal to the text given. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Durations as Jaeger writes them: "100ms", "1.5s". */
  readonly minDuration?: string;
  readonly maxDuration?: string;
  /** At most this many traces; 20 unless told. */
  readonly limit?: number;
  /** Wait until at least this many are found; 0, which is one look, unless told. */
  readonly expectedTraces?: number;
  /** Give up waiting after this many milliseconds; four minutes unless told. */
  readonly timeoutMs?: number;
}

/**
 * The ids of the traces that match, as Jaeger's own page and Grafana's data source search for them, newest first.
 * Throws TRACE_NOT_FOUND when fewer than expected are there in time.
 */
export async function findTraces(queryUrl: string, query: FindTracesQuery): Promise<readonly string[]> {
  const { expectedTraces = 0, timeoutMs = PATIENCE_MS } = query;
  let found: readonly string[] = [];
  return poll(
    async () => {
      found = await searchTraces(queryUrl, query);
      return found.length >= expectedTraces ? found : undefined;
    },
    {
      timeoutMs,
      onTimeout: () =>
        new BackendError(
          "TRACE_NOT_FOUND",
          `${found.length} of ${expectedTraces} traces match ${JSON.stringify(query)} after ${timeoutMs} ms`,
        ),
    },
  );
}

/** Names of the services that have sent a span. */
export async function listServices(queryUrl: string): Promise<readonly string[]> {
  const response = await get(`${queryUrl}/api/services`);
  return ((await response.json()) as { readonly data: readonly string[] | null }).data ?? [];
}

/** The version-3 API answers in OTLP, with nanoseconds; the older one has microseconds. */
async function fetchTrace(queryUrl: string, traceId: string): Promise<readonly StoredSpan[]> {
  const response = await get(`${queryUrl}/api/v3/traces/${traceId}`, [404]);
  if (response.status === 404) {
    await response.body?.cancel();
    return [];
  }
  return spansOf(((await response.json()) as { readonly result: OtlpTraces }).result);
}

/** Only the older API searches by attributes over HTTP. */
async function searchTraces(queryUrl: string, query: FindTracesQuery): Promise<readonly string[]> {
  const parameters = new URLSearchParams({
    service: query.service,
    limit: String(query.limit ?? 20),
    lookback: "custom",
  });
  if (query.operation !== undefined) parameters.set("operation", query.operation);
  if (query.tags !== undefined) parameters.set("tags", JSON.stringify(query.tags));
  if (query.minDuration !== undefined) parameters.set("minDuration", query.minDuration);
  if (query.maxDuration !== undefined) parameters.set("maxDuration", query.maxDuration);
  const response = await get(`${queryUrl}/api/traces?${parameters.toString()}`);
  const body = (await response.json()) as { readonly data: readonly { readonly traceID: string }[] | null };
  return (body.data ?? []).map((trace) => trace.traceID);
}

async function get(url: string, accepted: readonly number[] = []): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (response.ok || accepted.includes(response.status)) return response;
  throw new BackendError("BACKEND_REQUEST_FAILED", `GET ${url} answered ${response.status}: ${await response.text()}`);
}

function incomplete(traceId: string, spans: readonly StoredSpan[], timeoutMs: number): BackendError {
  if (spans.length === 0) return new BackendError("TRACE_NOT_FOUND", `no trace ${traceId} after ${timeoutMs} ms`);
  const names = spans.map((span) => span.name).join(", ");
  return new BackendError(
    "TRACE_INCOMPLETE",
    `trace ${traceId} has only these ${spans.length} spans after ${timeoutMs} ms: ${names}`,
  );
}
