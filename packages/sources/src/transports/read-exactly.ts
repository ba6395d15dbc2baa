import { SourceFailure } from './source-failure.ts';

/** Yields chunks as they arrive. Fails if the total size differs from the expected one; null: unknown. */
export async function* readsExactly(
  pieces: AsyncIterable<Uint8Array>,
  { bytes, location }: { readonly bytes: number | null; readonly location: string },
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of pieces) {
    read += piece.length;
    if (bytes !== null && read > bytes) break;
    yield piece;
  }
  if (bytes !== null && read !== bytes)
    throw new SourceFailure('broken', `${location}: ${read > bytes ? 'more' : 'fewer'} bytes came than the ${bytes} that were announced`);
}
