import { createContextKey, trace, type Context } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace";

const SESSION_KEY = createContextKey("hookscope.session");

/** The session that spans made under this context belong to, unless they say so themselves. */
export function withSession(context: Context, sessionId: string): Context {
  return context.setValue(SESSION_KEY, sessionId);
}

/**
 * Spans of instrumentation libraries know nothing of sessions: each gets `session.id` and `gen_ai.conversation.id` from
 * its context, else from its parent, which had them from its own.
 */
export class SessionAttributes implements SpanProcessor {
  onStart(span: Span, parentContext: Context): void {
    const sessionId = own(span) ?? ofContext(parentContext) ?? ofParent(parentContext);
    if (sessionId === undefined) return;
    for (const key of SESSION_ATTRIBUTES) {
      if (span.attributes[key] === undefined) span.setAttribute(key, sessionId);
    }
  }

  onEnd(): void {}

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

const SESSION_ATTRIBUTES = ["session.id", "gen_ai.conversation.id"] as const;

function own(span: Pick<ReadableSpan, "attributes">): string | undefined {
  const sessionId = span.attributes["session.id"];
  return typeof sessionId === "string" ? sessionId : undefined;
}

function ofContext(context: Context): string | undefined {
  const sessionId = context.getValue(SESSION_KEY);
  return typeof sessionId === "string" ? sessionId : undefined;
}

/** A parent in another process, or one that is not recorded, has no attributes to read. */
function ofParent(context: Context): string | undefined {
  const parent: object | undefined = trace.getSpan(context);
  if (parent === undefined || !("attributes" in parent)) return undefined;
  const { attributes } = parent;
  if (typeof attributes !== "object" || attributes === null) return undefined;
  const sessionId: unknown = Reflect.get(attributes, "session.id");
  return typeof sessionId === "string" ? sessionId : undefined;
}
