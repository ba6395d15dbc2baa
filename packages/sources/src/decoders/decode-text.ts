import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';

import { type Compression, openFailure, READ_MESSAGES, readBytes, ReadFailure } from '@svc/text-formats';

/** Text as it lies in a file. */
export interface EncodedText {
  readonly path: string;
  readonly compression: Compression | null;
  /** The language's name of the encoding. For UTF-16 the byte order mark determines the variant, and is skipped. */
  readonly encoding: string;
}

/** Encodings with another name in the decoder. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['latin-1', 'latin1'],
  ['utf-16', 'utf-16le'],
]);

/** Yields a file's text in pieces. Throws a ReadFailure `unreadable` with line and column if bytes are not valid text. */
export async function* decodeText(file: EncodedText, signal: AbortSignal): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let decoded = 0;
  for await (const chunk of readBytes(file.path, file.compression, signal)) {
    decoder ??= decoderOf(file, chunk);
    const text = tryDecode(decoder, chunk);
    if (text === null) throw await badBytes(file, decoded, signal);
    decoded += chunk.length;
    yield text;
  }
  if (decoder === null) return;
  const rest = tryDecode(decoder, null);
  if (rest === null) throw await badBytes(file, decoded, signal);
  yield rest;
}

/** The byte order mark determines the variant of UTF-16. */
function decoderOf({ path: sourcePath, encoding }: EncodedText, start: Buffer): TextDecoder {
  const marked = start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : null;
  if (marked !== null && UTF16.has(encoding) && encoding !== marked)
    throw new ReadFailure('unreadable', `the mark at its beginning says ${marked}, not ${encoding}`, { sourcePath });
  const label = encoding === 'utf-16' && marked !== null ? marked : (LABELS.get(encoding) ?? encoding);
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (thrown) {
    throw new ReadFailure('unreadable', `the encoding ${label} is not known`, { sourcePath, cause: thrown });
  }
}

const UTF16: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be']);

/** Returns null if the bytes are invalid. Null for `bytes` means the end: an incomplete character is then invalid. */
function tryDecode(decoder: TextDecoder, bytes: Buffer | null): string | null {
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Returns the failure of a file that is valid text up to some byte. Reads it again, since a failed decoder has no position. */
async function badBytes(file: EncodedText, textBytes: number, signal: AbortSignal): Promise<ReadFailure> {
  let decoder: TextDecoder | null = null;
  let [line, column, left] = [1, 1, textBytes];
  const pass = (text: string): void => {
    const lines = text.split('\n');
    line += lines.length - 1;
    column = (lines.length > 1 ? 1 : column) + [...(lines.at(-1) ?? '')].length;
  };
  for await (const chunk of readBytes(file.path, file.compression, signal)) {
    decoder ??= decoderOf(file, chunk);
    const known = chunk.subarray(0, left);
    left -= known.length;
    pass(tryDecode(decoder, known) ?? '');
    let text: string | null = '';
    for (let at = known.length; at < chunk.length && text !== null; at++) {
      text = tryDecode(decoder, chunk.subarray(at, at + 1));
      pass(text ?? '');
    }
    if (text === null) break;
  }
  const what = file.encoding === 'utf-8' ? READ_MESSAGES.notUtf8 : `bytes that are not ${file.encoding}`;
  return new ReadFailure('unreadable', `line ${line}, column ${column}: ${what}`, { sourcePath: file.path });
}

/** Returns the first bytes of a file as they are stored. Fails with a ReadFailure. */
export async function readFirstBytes(path: string, most: number, signal: AbortSignal): Promise<Buffer> {
  try {
    signal.throwIfAborted();
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw openFailure(thrown, signal);
  }
}
