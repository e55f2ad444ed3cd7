/** An attribute's value as OTLP carries it; 64-bit integers become numbers. */
export type AttributeValue = string | number | boolean | readonly AttributeValue[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

export type SpanKind = "UNSPECIFIED" | "INTERNAL" | "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER";

/** A span as a backend gave it back. */
export interface StoredSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent on a root. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** Nanoseconds since the Unix epoch. */
  readonly startTime: bigint;
  /** Nanoseconds since the Unix epoch. */
  readonly endTime: bigint;
  readonly attributes: Attributes;
  readonly status: { readonly code: "UNSET" | "OK" | "ERROR"; readonly message?: string };
  readonly links: readonly { readonly traceId: string; readonly spanId: string; readonly attributes: Attributes }[];
  readonly events: readonly { readonly name: string; readonly time: bigint; readonly attributes: Attributes }[];
  /** The resource's attributes, `service.name` among them. */
  readonly resource: Attributes;
  /** Name of the instrumentation scope. */
  readonly scope: string;
}

/** The parts of OTLP's JSON form that a trace is read from. */
export interface OtlpTraces {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly OtlpAttribute[] };
    readonly scopeSpans?: readonly {
      readonly scope?: { readonly name?: string };
      readonly spans?: readonly OtlpSpan[];
    }[];
  }[];
}

/** All spans, in order of their start. */
export function spansOf(traces: OtlpTraces): readonly StoredSpan[] {
  const spans = (traces.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) =>
    (scopeSpans ?? []).flatMap((scoped) =>
      (scoped.spans ?? []).map((span) => spanOf(span, attributesOf(resource?.attributes), scoped.scope?.name ?? "")),
    ),
  );
  return spans.toSorted((a, b) => (a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0));
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly links?: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes?: readonly OtlpAttribute[];
  }[];
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes?: readonly OtlpAttribute[];
  }[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value?: OtlpValue;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  /** A string, since a double cannot hold all of them. */
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values?: readonly OtlpValue[] };
}

const KINDS: readonly SpanKind[] = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const STATUS_CODES = ["UNSET", "OK", "ERROR"] as const;

function spanOf(span: OtlpSpan, resource: Attributes, scope: string): StoredSpan {
  const { code = 0, message } = span.status ?? {};
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId ? { parentSpanId: span.parentSpanId } : {}),
    name: span.name,
    kind: KINDS[span.kind ?? 0] ?? "UNSPECIFIED",
    startTime: BigInt(span.startTimeUnixNano),
    endTime: BigInt(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    status: { code: STATUS_CODES[code] ?? "UNSET", ...(message ? { message } : {}) },
    links: (span.links ?? []).map(({ traceId, spanId, attributes }) => ({
      traceId,
      spanId,
      attributes: attributesOf(attributes),
    })),
    events: (span.events ?? []).map(({ name, timeUnixNano, attributes }) => ({
      name,
      time: BigInt(timeUnixNano),
      attributes: attributesOf(attributes),
    })),
    resource,
    scope,
  };
}

function attributesOf(attributes: readonly OtlpAttribute[] = []): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: OtlpValue = {}): AttributeValue {
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(valueOf);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.boolValue ?? value.doubleValue ?? value.stringValue ?? "";
}
