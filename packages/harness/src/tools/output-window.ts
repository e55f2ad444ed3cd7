import { StringDecoder } from "node:string_decoder";

/** The beginning and the end of an output of any length, in memory that does not grow with it. */
export class OutputWindow {
  readonly #head: Buffer;
  readonly #tail: Buffer;
  #headLength = 0;
  /** All bytes that went to the tail; it holds the last of them, as a ring. */
  #tailTotal = 0;

  constructor(maxBytes: number) {
    this.#head = Buffer.alloc(Math.ceil(maxBytes / 2));
    this.#tail = Buffer.alloc(Math.max(1, Math.floor(maxBytes / 2)));
  }

  get size(): number {
    return this.#headLength + this.#tailTotal;
  }

  push(chunk: Buffer): void {
    const taken = chunk.copy(this.#head, this.#headLength);
    this.#headLength += taken;
    this.#pushTail(chunk.subarray(taken));
  }

  /** With a marker of how many bytes were left out between beginning and end. */
  text(): string {
    const omitted = Math.max(0, this.#tailTotal - this.#tail.length);
    if (omitted === 0) return Buffer.concat([this.#head.subarray(0, this.#headLength), this.#end()]).toString("utf8");
    const head = new StringDecoder("utf8").write(this.#head.subarray(0, this.#headLength));
    return `${head}\n[… ${omitted} bytes left out …]\n${fromWholeCharacter(this.#end())}`;
  }

  /** The last bytes, cut at a whole character. */
  lastText(maxBytes: number): string {
    const all = Buffer.concat([this.#head.subarray(0, this.#headLength), this.#end()]);
    return fromWholeCharacter(all.subarray(Math.max(0, all.length - maxBytes)));
  }

  #pushTail(bytes: Buffer): void {
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#tail.length));
    const start = (this.#tailTotal + bytes.length - kept.length) % this.#tail.length;
    const taken = kept.copy(this.#tail, start);
    kept.copy(this.#tail, 0, taken);
    this.#tailTotal += bytes.length;
  }

  #end(): Buffer {
    if (this.#tailTotal <= this.#tail.length) return this.#tail.subarray(0, this.#tailTotal);
    const start = this.#tailTotal % this.#tail.length;
    return Buffer.concat([this.#tail.subarray(start), this.#tail.subarray(0, start)]);
  }
}

/** A cut may fall within a character of UTF-8: what continues one is dropped. */
function fromWholeCharacter(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString("utf8");
}
