import { redactSafely, type Redactor } from "@hookscope/hooks";
import { REDACTION_FAILED } from "@hookscope/hooks/redact";
import type { Attributes, Link } from "@opentelemetry/api";
import { isAnyValue } from "@opentelemetry/core";
import { resourceFromAttributes, type Resource } from "@opentelemetry/resources";
import type { ReadableSpan, TimedEvent } from "@opentelemetry/sdk-trace";

import { cutStrings, mapStrings } from "./cut-text.ts";
import { isRecord } from "./is-record.ts";

/**
 * What may leave the process: a copy of a finished span, redacted, then cut. The same copy for the same span.
 * @throws where the span holds something that no exporter can write: a cycle, a BigInt, a function
 */
export type PrepareSpan = (span: ReadableSpan) => ReadableSpan;

/** @param limit longest string, in characters; a longer one ends with a marker that gives its length */
export function createPrepareSpan(redactor: Redactor, limit: number): PrepareSpan {
  const text = createCleanText(redactor, limit);
  const attributesOf = (original: Attributes): Attributes => cleanAttributes(original, redactor, limit);
  const resources = new WeakMap<Resource, Resource>();
  const resourceOf = (resource: Resource): Resource => {
    const known = resources.get(resource);
    if (known !== undefined) return known;
    const cleaned = resourceFromAttributes(attributesOf(resource.attributes));
    resources.set(resource, cleaned);
    return cleaned;
  };
  const linkOf = (link: Link): Link =>
    link.attributes === undefined ? link : { ...link, attributes: attributesOf(link.attributes) };
  const eventOf = (event: TimedEvent): TimedEvent => ({
    ...event,
    name: text(event.name),
    ...(event.attributes === undefined ? {} : { attributes: attributesOf(event.attributes) }),
  });

  const copies = new WeakMap<ReadableSpan, ReadableSpan>();
  return (span) => {
    const known = copies.get(span);
    if (known !== undefined) return known;
    const { status, parentSpanContext } = span;
    const spanContext = span.spanContext();
    const copy: ReadableSpan = {
      name: text(span.name),
      kind: span.kind,
      spanContext: () => spanContext,
      ...(parentSpanContext === undefined ? {} : { parentSpanContext }),
      startTime: span.startTime,
      endTime: span.endTime,
      status: status.message === undefined ? status : { code: status.code, message: text(status.message) },
      attributes: attributesOf(span.attributes),
      links: span.links.map(linkOf),
      events: span.events.map(eventOf),
      duration: span.duration,
      ended: span.ended,
      resource: resourceOf(span.resource),
      instrumentationScope: span.instrumentationScope,
      droppedAttributesCount: span.droppedAttributesCount,
      droppedEventsCount: span.droppedEventsCount,
      droppedLinksCount: span.droppedLinksCount,
    };
    copies.set(span, copy);
    return copy;
  };
}

/** What may leave the process of a text that is no attribute: redacted, then cut. */
export function createCleanText(redactor: Redactor, limit: number): (text: string) => string {
  return (original) => {
    const redacted = redactText(redactor, headOf(original, limit));
    return String(cutStrings(redacted, original, limit, WINDOW));
  };
}

/**
 * How much of a text past the limit is searched for secrets: one that begins before the limit ends within this. What
 * comes later is cut anyway, so a 5 MB value costs no more than its head.
 */
const WINDOW = 65_536;

function headOf(text: string, limit: number): string {
  return text.length > limit + WINDOW ? text.slice(0, limit + WINDOW) : text;
}

/** Redacting comes first: a secret that a limit cut in two has no shape any more. */
function cleanAttributes(original: Attributes, redactor: Redactor, limit: number): Attributes {
  for (const [key, value] of Object.entries(original)) {
    if (!isAnyValue(value)) throw new TypeError(`the value of ${redactText(redactor, key)} cannot be written`);
  }
  const heads = mapStrings(original, (value) => headOf(value, limit)) as Attributes;
  const redacted = redactAttributes(heads, redactor);
  return cutStrings(redacted, original, limit, WINDOW) as Attributes;
}

/** As one object, since an attribute's name may say that its value is a secret; one by one where that fails. */
function redactAttributes(attributes: Attributes, redactor: Redactor): Readonly<Record<string, unknown>> {
  const redacted: unknown = redactSafely(redactor, attributes);
  if (isRecord(redacted)) return redacted;
  const entries = Object.entries(attributes).map(([key, value]): readonly [string, unknown] => {
    const alone: unknown = redactSafely(redactor, { [key]: value });
    const name = redactText(redactor, key);
    return isRecord(alone) ? (Object.entries(alone)[0] ?? [name, undefined]) : [name, alone];
  });
  return Object.fromEntries(entries);
}

function redactText(redactor: Redactor, text: string): string {
  const redacted: unknown = redactSafely(redactor, text);
  return typeof redacted === "string" ? redacted : REDACTION_FAILED;
}
