import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest, type IncomingMessage } from "node:http";

import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";

import { isRecord } from "./is-record.ts";
import { readPartialSuccess } from "./partial-success.ts";
import type { Warn } from "./warnings.ts";

/** Spans of a successful export that did not arrive all the same, and why not. */
export interface Rejection {
  readonly count: number;
  readonly message: string;
}

/** What an exporter answers. Only a success has a rejection: a failure has lost the whole batch. */
export type DeliveryResult = ExportResult & { readonly rejection?: Rejection };

/**
 * OTLPTraceExporter, and what it keeps to itself: a backend may take a request and reject spans of it. The answer is read
 * beside the exporter. A channel of Node announces the requests of the process while a batch is on its way; the async
 * context a request is made in tells whether it carries that batch.
 */
export class OtlpExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #clean: (text: string) => string;
  readonly #warn: Warn;
  readonly #current = new AsyncLocalStorage<Delivery>();
  #hasWarned = false;

  /** @param clean what of the backend's words may be said */
  constructor(exporter: SpanExporter, clean: (text: string) => string, warn: Warn) {
    this.#exporter = exporter;
    this.#clean = clean;
    this.#warn = warn;
  }

  export(spans: ReadableSpan[], resultCallback: (result: DeliveryResult) => void): void {
    const delivery: Delivery = { answer: undefined };
    const onRequest = (message: unknown): void => {
      if (this.#current.getStore() === delivery) keepAnswer(message, delivery);
    };
    subscribe(REQUEST_CREATED, onRequest);
    try {
      this.#current.run(delivery, () => {
        this.#exporter.export(spans, (result) => {
          unsubscribe(REQUEST_CREATED, onRequest);
          const isTaken = result.code === ExportResultCode.SUCCESS;
          const rejection = isTaken ? this.#rejectionOf(delivery, spans.length) : undefined;
          resultCallback(rejection === undefined ? result : { ...result, rejection });
        });
      });
    } catch (error) {
      unsubscribe(REQUEST_CREATED, onRequest);
      throw error;
    }
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #rejectionOf({ answer }: Delivery, sent: number): Rejection | undefined {
    const partialSuccess = answer === undefined ? undefined : readPartialSuccess(answer, sent);
    if (partialSuccess === undefined) return undefined;
    const message = this.#clean(partialSuccess.message).replaceAll(/\p{Cc}+/gu, " ");
    if (partialSuccess.rejected > 0) {
      return { count: partialSuccess.rejected, message: message === "" ? "the backend gave no reason" : message };
    }
    if (message !== "" && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#warn("TELEMETRY_BACKEND_WARNING", `the trace backend took the spans and says: ${message}; said once`);
    }
    return undefined;
  }
}

/** Published in the call that makes a request. Its message: `{ request: ClientRequest }`. */
const REQUEST_CREATED = "http.client.request.created";

interface Delivery {
  /** The body of the last attempt's answer. */
  answer: Buffer | undefined;
}

function keepAnswer(message: unknown, delivery: Delivery): void {
  if (!isRecord(message) || !(message["request"] instanceof ClientRequest)) return;
  message["request"].prependOnceListener("response", (response) => readAnswer(response, delivery));
}

/** Bounded by the exporter, which reads the same response and destroys one of more than 4 MiB: that has no end. */
function readAnswer(response: IncomingMessage, delivery: Delivery): void {
  delivery.answer = undefined;
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk));
  response.once("end", () => {
    delivery.answer = Buffer.concat(chunks);
  });
}
