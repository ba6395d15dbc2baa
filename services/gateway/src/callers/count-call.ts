import type { ServerResponse } from 'node:http';

import type { RateLimitStore, StoredApiKey } from '@svc/database';
import { ServiceError } from '@svc/errors';

import type { KeyUses } from './key-uses.ts';

/** Dependencies of the counting of calls. */
export interface CallCount {
  readonly limits: RateLimitStore;
  readonly uses: KeyUses;
  readonly now: () => Date;
}

/**
 * Records a call with a valid key. For a key with a limit, sets the `RateLimit` fields of
 * draft-ietf-httpapi-ratelimit-headers, and throws `too_many_requests` if its window is full.
 */
export async function countCall(key: StoredApiKey, res: ServerResponse, { limits, uses, now }: CallCount): Promise<void> {
  uses.record(key.id, now());
  if (key.rateLimit === null) return;
  const { requests, seconds } = key.rateLimit;
  const { isAllowed, remaining, waitMillis } = await limits.take(key.id, key.rateLimit);
  const waitSeconds = Math.max(1, Math.ceil(waitMillis / 1000));
  res.setHeader('RateLimit-Policy', `"key";q=${requests};w=${seconds}`);
  res.setHeader('RateLimit', `"key";r=${remaining};t=${waitSeconds}`);
  if (isAllowed) return;
  throw new ServiceError(
    'too_many_requests',
    `The API key may make ${requests} calls in ${seconds} seconds. Try again in ${waitSeconds} s.`,
    {
      headers: { 'Retry-After': String(waitSeconds) },
    },
  );
}
