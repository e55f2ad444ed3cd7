import { SpanKind, SpanStatusCode, type Attributes, type HrTime } from "@opentelemetry/api";
import { hrTimeToMilliseconds } from "@opentelemetry/core";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

import type { SpanDocument } from "./documents.ts";

export function toSpanDocument(span: ReadableSpan): SpanDocument {
  const { message } = span.status;
  return {
    spanId: span.spanContext().spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? null,
    name: span.name,
    kind: KINDS[span.kind],
    startTime: milliseconds(span.startTime),
    endTime: milliseconds(span.endTime),
    attributes: toJson(span.attributes),
    status: { code: CODES[span.status.code], ...(message === undefined ? {} : { message }) },
    links: span.links.map((link) => ({
      traceId: link.context.traceId,
      spanId: link.context.spanId,
      attributes: toJson(link.attributes ?? {}),
    })),
    events: span.events.map((event) => ({
      name: event.name,
      time: milliseconds(event.time),
      attributes: toJson(event.attributes ?? {}),
    })),
  };
}

const KINDS: Readonly<Record<SpanKind, SpanDocument["kind"]>> = {
  [SpanKind.INTERNAL]: "INTERNAL",
  [SpanKind.SERVER]: "SERVER",
  [SpanKind.CLIENT]: "CLIENT",
  [SpanKind.PRODUCER]: "PRODUCER",
  [SpanKind.CONSUMER]: "CONSUMER",
};

const CODES: Readonly<Record<SpanStatusCode, SpanDocument["status"]["code"]>> = {
  [SpanStatusCode.UNSET]: "UNSET",
  [SpanStatusCode.OK]: "OK",
  [SpanStatusCode.ERROR]: "ERROR",
};

function milliseconds(time: HrTime): number {
  return hrTimeToMilliseconds(time);
}

/** Bytes as base64, as OTLP's JSON has them. */
function toJson(attributes: Attributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, encodeBytes(value)]));
}

function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(encodeBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encodeBytes(item)]));
}
