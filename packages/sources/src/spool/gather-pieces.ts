/** Consecutive bytes of a copy and their offset. A null offset appends them after the previous part. */
export interface CopyPart {
  readonly at: number | null;
  readonly pieces: readonly Uint8Array[];
  /** Total length of the chunks. */
  readonly length: number;
}

/** Size of one write: a system call per network chunk would cost more than the bytes. */
const GATHERED_BYTES = 2 ** 20;
/** Joining more pieces than this is cheaper than writing them separately. */
const MOST_PIECES = 64;

/** Yields consecutive pieces as parts of about a megabyte. */
export async function* gatherPieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<CopyPart> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    gathered.push(bytes);
    length += bytes.length;
    if (length < GATHERED_BYTES) continue;
    yield { at: null, pieces: joined(gathered), length };
    [gathered, length] = [[], 0];
  }
  if (length > 0) yield { at: null, pieces: joined(gathered), length };
}

function joined(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  return pieces.length > MOST_PIECES ? [Buffer.concat(pieces)] : pieces;
}
