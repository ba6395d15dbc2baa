import { ReadFailure } from '@svc/text-formats';

/** Reads bytes of a stream in requested amounts. Fails with a ReadFailure if it ends early. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    return this.#buffer.length === this.#at && !(await this.#more());
  }

  /** Reads the next bytes. Throws before reading if `count` exceeds `most`. */
  async take(count: number, most = Infinity): Promise<Buffer> {
    if (count < 0 || count > most) throw new ReadFailure('unreadable', `a part of ${count} bytes cannot be`);
    const parts: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#buffer.length === this.#at && !(await this.#more())) throw new ReadFailure('unreadable', 'the file ends too early');
      const part = this.#buffer.subarray(this.#at, this.#at + missing);
      this.#at += part.length;
      missing -= part.length;
      parts.push(part);
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  /** Reads an integer in zig-zag encoding that a number can represent. */
  async takeLong(): Promise<number> {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = (await this.take(1))[0] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
      shift += 7n;
      if (shift > 63n) throw new ReadFailure('unreadable', 'a length cannot be read');
    }
    const long = Number((value >> 1n) ^ -(value & 1n));
    if (!Number.isSafeInteger(long)) throw new ReadFailure('unreadable', 'a length cannot be read');
    return long;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#buffer = next.value;
    this.#at = 0;
    return next.value.length > 0 || this.#more();
  }
}
