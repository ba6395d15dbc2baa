import { ReadFailure } from '@svc/text-formats';

/** Reads the values of a block in sequence. Fails with a ReadFailure if it ends early, or is invalid. */
export class AvroBytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Returns the next bytes, without copying. */
  take(count: number): Buffer {
    if (!(count >= 0 && count <= this.#bytes.length - this.#at)) throw bad('it ends too early');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw bad('it ends too early');
    this.#at += 1;
    return byte;
  }

  /** Reads a 64-bit integer in zig-zag encoding. Returns a bigint only if a number cannot represent it. */
  long(): number | bigint {
    let [value, unit] = [0, 1];
    for (let i = 0; i < 7; i += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      unit *= 128;
    }
    return this.#rest(BigInt(value));
  }

  /** A long that begins with seven bytes. */
  #rest(first: bigint): bigint {
    let value = first;
    for (let shift = 49n; shift <= 63n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw bad('a number cannot be read');
  }

  /** A number of bytes, of elements, or of a branch. */
  count(): number {
    const count = Number(this.long());
    if (count < 0 || !Number.isSafeInteger(count)) throw bad('a length cannot be read');
    return count;
  }

  bytes(): Buffer {
    return this.take(this.count());
  }

  string(): string {
    return textOf(this.bytes());
  }

  /** Calls `each` for each element of an array or a map. */
  items(each: () => void): void {
    for (;;) {
      const long = Number(this.long());
      if (long === 0) return;
      // The size of the block is for readers that skip it.
      if (long < 0) this.count();
      for (let left = Math.abs(long); left > 0; left -= 1) each();
    }
  }
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes('\uFFFD') || Buffer.from(text).equals(bytes)) return text;
  throw bad('a string is not UTF-8');
}

function bad(what: string): ReadFailure {
  return new ReadFailure('unreadable', what);
}
