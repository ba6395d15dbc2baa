import type { IncomingMessage } from 'node:http';

import { ServiceError } from '@svc/errors';

const HEADER = 'x-svc-api-key';

/** Returns the header with the key, undefined if absent. Two of them are `unauthorized`, whatever their values. */
export function readApiKeyHeader(req: IncomingMessage): string | undefined {
  // Not `headers`, in which Node joins repeated ones; nor `headersDistinct`, which is built from all headers of each
  // request.
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

/** Returns the error for a missing or invalid key. It is the same for every path. */
export function refuseKey(): ServiceError {
  return new ServiceError('unauthorized', 'The API key is missing or not valid.', { headers: { 'WWW-Authenticate': 'ApiKey' } });
}
