/** Bytes of a copy, and where they stand; null: behind those before. */
export interface CopyPart {
  readonly at: number | null;
  readonly bytes: Uint8Array;
}

/** What is written at once: the system calls of a network's pieces, one each, would cost more than the bytes. */
const GATHERED_BYTES = 2 ** 20;

/** Yields consecutive pieces as parts of about a megabyte. */
export async function* gatherPieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<CopyPart> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    gathered.push(bytes);
    length += bytes.length;
    if (length < GATHERED_BYTES) continue;
    yield { at: null, bytes: joined(gathered) };
    [gathered, length] = [[], 0];
  }
  if (length > 0) yield { at: null, bytes: joined(gathered) };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}
