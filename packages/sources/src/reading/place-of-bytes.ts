import type { EngineFailure } from '@svc/query-engine';
import { type Compression, isReadFailure } from '@svc/text-formats';

import { decodeText } from '../decoders/decode-text.ts';

/** Returns the message of a failure, of one about invalid UTF-8 with the line and column of the first invalid byte. */
export async function withPlaceOfBytes(
  { message, sourcePath, fault }: EngineFailure,
  compression: Compression | null,
  signal: AbortSignal,
): Promise<string> {
  if (sourcePath === undefined || fault !== 'not-utf8') return message;
  try {
    for await (const _ of decodeText({ path: sourcePath, compression, encoding: 'utf-8' }, signal));
    return message;
  } catch (thrown) {
    if (!isReadFailure(thrown) || thrown.failureClass !== 'unreadable') throw thrown;
    return thrown.message;
  }
}
