import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gunzipSync } from "node:zlib";

export interface OtlpSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly OtlpAttribute[] }[];
  readonly links: readonly { readonly attributes: readonly OtlpAttribute[] }[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export interface SinkRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly spans: readonly OtlpSpan[];
  readonly resource: Readonly<Record<string, unknown>>;
}

/** `hang` takes the request and does not answer before `release`. */
export type Answer = number | "hang" | Said;

interface Said {
  /** Default 200. */
  readonly status?: number;
  /** Default: so late that no exporter tries again before its time is over, and a refusal is final at once. */
  readonly retryAfter?: string;
  readonly body: string | Iterable<string>;
  /** The connection ends after the body, and the answer does not. */
  readonly breaksOff?: boolean;
}

/** A real OTLP receiver: an HTTP server on a port of its own that records whatever is asked of it. */
export class OtlpSink implements AsyncDisposable {
  readonly requests: SinkRequest[] = [];
  answer: Answer = 200;
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  readonly #waiters = new Set<() => void>();
  readonly #hanging = new Set<() => void>();

  static async start(): Promise<OtlpSink> {
    const sink = new OtlpSink();
    await new Promise<void>((resolve) => sink.#server.listen(0, "127.0.0.1", resolve));
    return sink;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Spans it answered with success for. */
  readonly accepted: OtlpSpan[] = [];

  /** Resolves when the condition holds, looked at after every request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  /** Answers, with success, what hangs. */
  release(): void {
    for (const answer of this.#hanging) answer();
    this.#hanging.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent).toString();
    const body = JSON.parse(text) as OtlpBody;
    const spans = body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));
    const { answer } = this;
    const resource = valuesOf(body.resourceSpans[0]?.resource.attributes ?? []);
    const { method = "", url: path = "", headers } = request;
    this.requests.push({ method, path, headers, text, spans, resource });
    if (answer === 200) this.accepted.push(...spans);
    if (answer === "hang") this.#hanging.add(() => say(response, { body: "{}" }));
    else say(response, typeof answer === "number" ? { status: answer, body: "{}" } : answer);
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }
}

function say(response: ServerResponse, { status = 200, retryAfter = "3600", body, breaksOff = false }: Said): void {
  const later = status === 200 ? {} : { "retry-after": retryAfter };
  response.writeHead(status, { "content-type": "application/json", ...later });
  if (typeof body !== "string") void pipeline(Readable.from(body), response).catch(() => {});
  else if (breaksOff) response.write(body, () => response.destroy());
  else response.end(body);
}

export function valuesOf(attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
