import { HarnessError } from "../errors.ts";

/** A stream part of any version of the interface, before it is looked at. */
export type UnknownPart = Readonly<Record<string, unknown>>;

export interface PartReader {
  /** The next part; undefined at the end. Rejects with the signal's reason as soon as the signal fires. */
  read(): Promise<UnknownPart | undefined>;
  /** Cancels what was not read to its end. Not awaited: a stream that hangs in its own clean-up must not hold the call. */
  close(): void;
}

/**
 * Opens a model's stream and reads it, bound to the signal even where the model does not watch it. Closed
 * early, by an error or because nobody wants the rest, the stream is cancelled, so that its connection closes.
 */
export async function openReader(
  open: () => PromiseLike<{ readonly stream: unknown }>,
  signal: AbortSignal,
): Promise<PartReader> {
  const opened = Promise.resolve(open());
  const result = await unlessAborted(opened, signal).catch((error: unknown) => {
    // Too late to be read: close what it opens after all.
    void opened.then((late) => cancel(late?.stream), ignore);
    throw error;
  });
  const stream: unknown = result?.stream;
  if (!(stream instanceof ReadableStream)) {
    throw new HarnessError("MODEL_STREAM_INVALID", "doStream of the language model gave no ReadableStream.");
  }
  const reader = (stream as ReadableStream<UnknownPart>).getReader();
  let ended = false;
  return {
    async read() {
      const { done, value } = await unlessAborted(reader.read(), signal);
      ended = done;
      return value;
    },
    close() {
      if (!ended) void reader.cancel().catch(ignore);
    },
  };
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) {
      promise.catch(ignore);
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function cancel(stream: unknown): void {
  if (stream instanceof ReadableStream) void stream.cancel().catch(ignore);
}

function ignore(): void {}
