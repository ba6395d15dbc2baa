/** Number of bytes that are joined at the end: joining many megabytes at once would block the event loop. */
const MOST_JOINED_BYTES = 2 ** 20;

/** Bytes that come in pieces, up to a maximum. Many of them grow in place. */
export class GrowingBytes {
  readonly #most: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #grown: ArrayBuffer | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a copy of the bytes; false if there would be too many. */
  add(bytes: Uint8Array): boolean {
    if (this.#length + bytes.length > this.#most) return false;
    if (this.#grown === null && this.#length + bytes.length <= MOST_JOINED_BYTES) {
      this.#pieces.push(Buffer.from(bytes));
      this.#length += bytes.length;
      return true;
    }
    const added = this.#grown === null ? [...this.#pieces, bytes] : [bytes];
    this.#grown ??= new ArrayBuffer(0, { maxByteLength: this.#most });
    for (const piece of added) {
      const start = this.#grown.byteLength;
      this.#grown.resize(start + piece.length);
      new Uint8Array(this.#grown, start).set(piece);
    }
    this.#pieces = [];
    this.#length = this.#grown.byteLength;
    return true;
  }

  /** Returns all bytes, and begins anew. */
  take(): Buffer {
    const bytes = this.#grown === null ? Buffer.concat(this.#pieces) : Buffer.from(this.#grown, 0, this.#length);
    [this.#pieces, this.#length, this.#grown] = [[], 0, null];
    return bytes;
  }
}
