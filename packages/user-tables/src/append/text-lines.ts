import { TextDecoder } from 'node:util';

import { RowError } from './row-error.ts';

/** The longest line that is taken: what one row may hold in memory. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/**
 * The lines of UTF-8 bytes, without their line feeds, as many at a time as came together; a byte order mark is dropped. The last line may
 * lack its line feed. Throws RowError for bytes that are not UTF-8 and for a line that is too long.
 */
export async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of bytes) {
    const lines = (rest + decode(decoder, piece)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) throw tooLong();
    yield lines;
  }
  rest += decode(decoder, undefined);
  if (rest !== '') yield [rest];
}

function decode(decoder: TextDecoder, piece: Uint8Array | undefined): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    throw new RowError(null, 'the bytes are not UTF-8 text');
  }
}

/** Said of a line, or of a record that goes over several. */
export function tooLong(): RowError {
  return new RowError(null, `it is longer than ${MAX_LINE_CHARACTERS} characters`);
}

/** Whether a record that grows by lines is too long. */
export function isTooLong(text: string): boolean {
  return text.length > MAX_LINE_CHARACTERS;
}
