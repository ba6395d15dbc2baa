import type { IncomingMessage } from 'node:http';

import { ServiceError } from '@svc/errors';

const HEADER = 'x-svc-api-key';

/** Returns the text of the header with the key, undefined where there is none. Two of them are `unauthorized`, whatever they hold. */
export function readApiKeyHeader(req: IncomingMessage): string | undefined {
  // Not `headers`, in which Node joins several to one; nor `headersDistinct`, which is made of all of them for each request.
  const { rawHeaders } = req;
  let text: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== HEADER.length || name.toLowerCase() !== HEADER) continue;
    if (text !== undefined) throw refuseKey();
    text = rawHeaders[i + 1];
  }
  return text;
}

/** The one answer to whoever has no valid key, whatever is at the path. */
export function refuseKey(): ServiceError {
  return new ServiceError('unauthorized', 'The API key is missing or not valid.', { headers: { 'WWW-Authenticate': 'ApiKey' } });
}
