import { readBytes, type Compression } from '../read-bytes.ts';
import { ReadFailure } from '../read-failure.ts';
import { READ_MESSAGES } from '../read-messages.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { MalformedJson } from './json-scanner.ts';
import { malformedAt } from './malformed-at.ts';

/** Maximum size in bytes of one document or element that is scanned. */
export const MAX_DOCUMENT_BYTES = 64 * 2 ** 20;

/** The contents of a file, in order. */
export type JsonEvent = JsonDocument | { readonly kind: 'ArrayBegin' };

/** A document of a file, or an element of the array that the file is. */
export interface JsonDocument {
  readonly kind: 'Document';
  readonly bytes: Uint8Array;
  /** True for elements of the array that starts the file. */
  readonly isElement: boolean;
  /** True if a line break separates it from the previous one. */
  readonly isOnNewLine: boolean;
  /** Byte offset in the file. */
  readonly byte: number;
}

/** A file to split into documents. */
export interface DocumentsRequest {
  readonly path: string;
  readonly compression: Compression | null;
  /** True to split an array that starts the file into elements. */
  readonly splitsArray: boolean;
  /** The file is the beginning of a longer one: it may end anywhere. */
  readonly isBeginning?: boolean;
  readonly signal: AbortSignal;
}

/** Yields the documents of a file, reading no further than consumed. Fails with a ReadFailure. */
export async function* jsonDocuments(request: DocumentsRequest): AsyncGenerator<JsonEvent> {
  const { path, compression, splitsArray, isBeginning = false, signal } = request;
  const splitter = new DocumentSplitter(splitsArray);
  try {
    for await (const chunk of readBytes(path, compression, signal)) yield* splitter.push(chunk);
    if (!isBeginning) yield* splitter.end();
  } catch (thrown) {
    throw thrown instanceof MalformedJson ? await malformedAt(thrown.byte, { path, compression, thrown, signal }) : thrown;
  }
}

const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  COMMA = 0x2c,
  NEWLINE = 0x0a,
  OPEN_BRACKET = 0x5b,
  CLOSE_BRACKET = 0x5d,
  OPEN_BRACE = 0x7b,
  CLOSE_BRACE = 0x7d;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;

/** Yields the lines of a stream of bytes. Fails with a ReadFailure if one exceeds the limit of a document. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const begun = new GrowingBytes(MAX_DOCUMENT_BYTES);
  const keep = (bytes: Buffer): void => {
    if (!begun.add(bytes)) throw new ReadFailure('json', `one line is larger than ${MAX_DOCUMENT_BYTES / 2 ** 20} MB`);
  };
  for await (const chunk of chunks) {
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      keep(chunk.subarray(at, end));
      yield begun.take();
      at = end + 1;
    }
    keep(chunk.subarray(at));
  }
  if (begun.length > 0) yield begun.take();
}

/**
 * Splits a stream of bytes into documents by brackets and quotes, and elements of an array by commas; the scanner validates them as JSON.
 * Throws MalformedJson.
 */
class DocumentSplitter {
  readonly #splitsArray: boolean;
  readonly #begun = new GrowingBytes(MAX_DOCUMENT_BYTES);
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInScalar = false;
  #hasBegun = false;
  #isInArray = false;
  /** What may follow in the array that starts the file. */
  #next: 'element or end' | 'element' | 'comma or end' = 'element or end';
  #sawNewLine = true;
  #offset = 0;
  #documentByte = 0;

  constructor(splitsArray: boolean) {
    this.#splitsArray = splitsArray;
  }

  *push(chunk: Buffer): Generator<JsonEvent> {
    let start = this.#isOpen() ? 0 : -1;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#isInString = false;
          if (this.#depth === 0) {
            yield this.#document(chunk.subarray(start, i + 1));
            start = -1;
          }
        }
        continue;
      }
      if (this.#isInScalar && this.#endsScalar(byte)) {
        this.#isInScalar = false;
        yield this.#document(chunk.subarray(start, i));
        start = -1;
      }
      if (!this.#isOpen()) {
        const wasInArray = this.#isInArray;
        if (!this.#begins(byte, this.#offset + i)) {
          if (this.#isInArray && !wasInArray) yield { kind: 'ArrayBegin' };
          continue;
        }
        start = i;
        this.#documentByte = this.#offset + i;
      }
      if (byte === QUOTE) this.#isInString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && this.#depth > 0) {
        this.#depth--;
        if (this.#depth === 0) {
          yield this.#document(chunk.subarray(start, i + 1));
          start = -1;
        }
      } else if (this.#depth === 0) this.#isInScalar = true;
    }
    if (start >= 0) this.#keep(chunk.subarray(start));
    this.#offset += chunk.length;
  }

  *end(): Generator<JsonDocument> {
    if (this.#isOpen()) yield this.#document(Buffer.alloc(0));
    if (this.#isInArray) throw new ReadFailure('json', READ_MESSAGES.malformedJson('the file ends within its array'));
  }

  #isOpen(): boolean {
    return this.#depth > 0 || this.#isInString || this.#isInScalar;
  }

  #endsScalar(byte: number): boolean {
    return isSpace(byte) || byte === COMMA || byte === CLOSE_BRACKET || byte === OPEN_BRACE || byte === OPEN_BRACKET;
  }

  /** Returns whether a byte between documents starts one. */
  #begins(byte: number, offset: number): boolean {
    if (byte === NEWLINE) this.#sawNewLine = true;
    if (isSpace(byte)) return false;
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (isFirst && byte === OPEN_BRACKET && this.#splitsArray) {
      this.#isInArray = true;
      return false;
    }
    if (!this.#isInArray) return true;
    if (byte === CLOSE_BRACKET && this.#next !== 'element') {
      this.#isInArray = false;
      return false;
    }
    if (byte === COMMA && this.#next === 'comma or end') {
      this.#next = 'element';
      return false;
    }
    if (this.#next === 'comma or end') throw new MalformedJson('expected "," or "]"', offset + 1);
    if (byte === COMMA || byte === CLOSE_BRACKET) throw new MalformedJson('expected a value', offset + 1);
    this.#next = 'comma or end';
    return true;
  }

  #keep(bytes: Buffer): void {
    if (!this.#begun.add(bytes)) throw new ReadFailure('json', `one JSON value is larger than ${MAX_DOCUMENT_BYTES / 2 ** 20} MB`);
  }

  #document(rest: Buffer): JsonDocument {
    if (this.#begun.length > 0) this.#keep(rest);
    const bytes = this.#begun.length > 0 ? this.#begun.take() : rest;
    const document: JsonDocument = {
      kind: 'Document',
      bytes,
      isElement: this.#isInArray,
      isOnNewLine: this.#sawNewLine,
      byte: this.#documentByte,
    };
    this.#sawNewLine = false;
    return document;
  }
}
