import { ReadFailure } from '@svc/text-formats';

/** Default limit of a value's JSON: the engine's limit of one value. */
export const MAX_LINE_BYTES = 16 * 2 ** 20;
const FLUSHED_CHARACTERS = 2 ** 16;

/** Collects JSON values in their original text, one per line. Throws a ReadFailure if a value exceeds the maximum size. */
export class JsonLines {
  readonly #maxLineBytes: number;
  /** Lines that are ended: first the bytes, then the text. */
  #bytes: Buffer[] = [];
  #byteCount = 0;
  #text = '';
  /** The line that is being written. */
  #lineBytes: Buffer[] = [];
  #line = '';
  #lineLength = 0;

  constructor(maxLineBytes: number = MAX_LINE_BYTES) {
    this.#maxLineBytes = maxLineBytes;
  }

  add(text: string): void {
    this.#lineLength += text.length;
    if (this.#lineLength > this.#maxLineBytes)
      throw new ReadFailure('unreadable', `more than ${Math.ceil(this.#maxLineBytes / 2 ** 20)} MB in JSON`);
    this.#line += text;
    if (this.#line.length < FLUSHED_CHARACTERS) return;
    this.#lineBytes.push(Buffer.from(this.#line));
    this.#line = '';
  }

  endLine(): void {
    if (this.#lineBytes.length > 0) {
      this.#flush();
      for (const bytes of this.#lineBytes) this.#push(bytes);
    }
    this.#text += `${this.#line}\n`;
    this.dropLine();
    if (this.#text.length >= FLUSHED_CHARACTERS) this.#flush();
  }

  /** Discards the current line. */
  dropLine(): void {
    if (this.#lineBytes.length > 0) this.#lineBytes = [];
    this.#line = '';
    this.#lineLength = 0;
  }

  /** Bytes of ended lines, about. */
  get size(): number {
    return this.#byteCount + this.#text.length;
  }

  /** Returns the lines completed since the last call. */
  take(): Uint8Array {
    this.#flush();
    const all = Buffer.concat(this.#bytes);
    [this.#bytes, this.#byteCount] = [[], 0];
    return all;
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#push(Buffer.from(this.#text));
    this.#text = '';
  }

  #push(bytes: Buffer): void {
    this.#bytes.push(bytes);
    this.#byteCount += bytes.length;
  }
}

/** Minimum size of a write. */
export const PIECE_BYTES = 2 ** 18;

/** Writes each item with `write`, in chunks of an efficient size. */
export async function* linesOf<Item>(
  batches: AsyncIterable<readonly Item[]>,
  lines: JsonLines,
  write: (item: Item) => void,
): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) {
    for (const item of batch) {
      write(item);
      if (lines.size >= PIECE_BYTES) yield lines.take();
    }
  }
  if (lines.size > 0) yield lines.take();
}
