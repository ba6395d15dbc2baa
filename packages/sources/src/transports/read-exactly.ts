import { SourceFailure } from './source-failure.ts';

/** What is read as it comes. Fails where more or fewer bytes come than there should be; null: nobody knows how many. */
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
