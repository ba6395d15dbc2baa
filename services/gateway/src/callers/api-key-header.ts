import type { IncomingMessage } from 'node:http';

import { ServiceError } from '@svc/errors';

/** Returns the text of the header with the key, undefined where there is none. Two of them are `unauthorized`, whatever they hold. */
export function readApiKeyHeader(req: IncomingMessage): string | undefined {
  // Not `headers`, in which Node joins several to one.
  const [text, ...others] = req.headersDistinct['x-svc-api-key'] ?? [];
  if (others.length > 0) throw refuseKey();
  return text;
}

/** The one answer to whoever has no valid key, whatever is at the path. */
export function refuseKey(): ServiceError {
  return new ServiceError('unauthorized', 'The API key is missing or not valid.', { headers: { 'WWW-Authenticate': 'ApiKey' } });
}
