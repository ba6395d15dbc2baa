import { TextDecoder } from 'node:util';

import type { Compression } from '@svc/query-engine';
import { EngineFailure, openFile } from '@svc/query-engine';

/** Text as it lies in a file. */
export interface EncodedText {
  readonly path: string;
  readonly compression: Compression | null;
  /** As the language names it; a mark at the beginning of the file says which UTF-16 it is, and is left out. */
  readonly encoding: string;
}

/** Names of the language that the decoder knows by another. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['latin-1', 'latin1'],
  ['utf-16', 'utf-16le'],
]);

/** A file's text in pieces. Fails with an EngineFailure `unreadable` that names the line where bytes are no text. */
export async function* decodeText({ path, compression, encoding }: EncodedText, signal: AbortSignal): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let label = LABELS.get(encoding) ?? encoding;
  let line = 1;
  for await (const chunk of readBytes(path, compression, signal)) {
    if (decoder === null) {
      if (encoding === 'utf-16' && chunk[0] === 0xfe && chunk[1] === 0xff) label = 'utf-16be';
      decoder = decoderOf(label);
    }
    const text = decode(decoder, { chunk, label, encoding, line });
    line += countLines(text);
    yield text;
  }
  if (decoder !== null) yield decode(decoder, { chunk: null, label, encoding, line });
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (thrown) {
    throw new EngineFailure('unreadable', `the encoding ${label} is not known`, { cause: thrown });
  }
}

/** The bytes of a file, decompressed. Fails with an EngineFailure. */
export async function* readBytes(path: string, compression: Compression | null, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of openFile(path, compression, signal)) yield chunk;
  } catch (thrown) {
    if (signal.aborted) throw new EngineFailure('interrupted', 'the query was cancelled', { cause: thrown });
    const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
    if (code === 'ENOENT' || code === 'EACCES')
      throw new EngineFailure('missing-file', 'the file is not there or may not be read', { cause: thrown });
    if (/^(Z_|ZSTD_|ERR_ZSTD)/.test(code)) throw new EngineFailure('unreadable', 'the file cannot be decompressed', { cause: thrown });
    throw thrown;
  }
}

interface Piece {
  readonly chunk: Buffer | null;
  readonly label: string;
  readonly encoding: string;
  readonly line: number;
}

function decode(decoder: TextDecoder, { chunk, label, encoding, line }: Piece): string {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (thrown) {
    const lenient = chunk === null ? '' : new TextDecoder(label).decode(chunk);
    const at = line + countLines(lenient.slice(0, Math.max(0, lenient.indexOf('\uFFFD', 1))));
    throw new EngineFailure('unreadable', `line ${at}: bytes that are not ${encoding}`, { cause: thrown });
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
