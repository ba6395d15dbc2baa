import { readBytes, type Compression } from './read-bytes.ts';

/** A byte of a file whose line and column are sought. */
export interface ByteSearch {
  readonly path: string;
  readonly compression: Compression | null;
  /** Counted from 1, in the decompressed text. */
  readonly byte: number;
  readonly signal: AbortSignal;
}

/** Returns the position of a byte in a text file: `line 3, column 7`, both from 1, columns in code points. */
export async function placeOfByte({ path, compression, byte, signal }: ByteSearch): Promise<string> {
  let [line, left] = [1, byte - 1];
  let before: Buffer[] = [];
  for await (const chunk of readBytes(path, compression, signal)) {
    const part = chunk.subarray(0, left);
    let at = 0;
    for (let end = part.indexOf('\n'); end >= 0; end = part.indexOf('\n', at)) {
      [line, at, before] = [line + 1, end + 1, []];
    }
    before.push(part.subarray(at));
    left -= part.length;
    if (left === 0) break;
  }
  return `line ${line}, column ${[...Buffer.concat(before).toString()].length + 1}`;
}
