import { EngineFailure } from '@svc/query-engine';

import { MAX_LINE_BYTES } from '../json-copy.ts';

const FLUSHED_CHARACTERS = 2 ** 16;

/** Values in JSON as they are written, one on each line. Fails with an EngineFailure for a value that is larger than may be read. */
export class JsonLines {
  #text = '';
  #ofLine = 0;
  #flushed: Buffer[] = [];
  #bytes = 0;

  add(text: string): void {
    this.#ofLine += text.length;
    if (this.#ofLine > MAX_LINE_BYTES) throw new EngineFailure('unreadable', `it is larger than ${MAX_LINE_BYTES / 2 ** 20} MB`);
    this.#text += text;
    if (this.#text.length >= FLUSHED_CHARACTERS) this.#flush();
  }

  endLine(): void {
    this.add('\n');
    this.#ofLine = 0;
  }

  /** Bytes that are there to be taken, about. */
  get size(): number {
    return this.#bytes + this.#text.length;
  }

  /** What was written since it was last taken. */
  take(): Uint8Array {
    this.#flush();
    const all = Buffer.concat(this.#flushed);
    [this.#flushed, this.#bytes] = [[], 0];
    return all;
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text);
    this.#flushed.push(bytes);
    this.#bytes += bytes.length;
    this.#text = '';
  }
}
