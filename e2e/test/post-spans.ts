import { randomBytes } from "node:crypto";

/** One span, written by hand in OTLP's JSON form and posted as it is: no SDK takes part. */
export interface HandMadeSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly [field: string]: unknown;
}

export const newTraceId = (): string => randomBytes(16).toString("hex");
export const newSpanId = (): string => randomBytes(8).toString("hex");

/** Posts spans of one service to an OTLP over HTTP receiver; throws what it answers when it refuses. */
export async function postSpans(otlpHttpUrl: string, service: string, spans: readonly HandMadeSpan[]): Promise<void> {
  const body = {
    resourceSpans: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: service } }] },
        scopeSpans: [{ scope: { name: "hand-made" }, spans }],
      },
    ],
  };
  const response = await fetch(`${otlpHttpUrl}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  await response.body?.cancel();
}
