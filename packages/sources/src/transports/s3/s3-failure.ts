import { types } from 'node:util';

import { isAddressNotAllowed } from '@svc/network-guard';

import { SourceFailure, type SourceFailureCause } from '../source-failure.ts';
import { statusOf, type BucketAccess } from './s3-clients.ts';

/** Error codes caused by the keys. */
const BAD_KEYS: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'XAdminUserNotFound',
  'InvalidToken',
  'ExpiredToken',
  'TokenRefreshRequired',
]);

/**
 * Converts a failed request to an object store to words for the author of the query: one message per cause, without secrets
 * or texts of the store. `location` is as the user wrote it.
 */
export function explainS3(thrown: unknown, access: BucketAccess, location: string): SourceFailure {
  if (thrown instanceof SourceFailure) return thrown;
  const [failure, message] = causeOf(thrown, access);
  return new SourceFailure(failure, `${location}: ${message}`, { cause: thrown });
}

/** Returns whether a request failed because there is no such object (or its existence is not disclosed). */
export function isNoSuchObject(thrown: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(nameOf(thrown));
}

type Cause = readonly [SourceFailureCause, string];

function causeOf(thrown: unknown, access: BucketAccess): Cause {
  const { bucket, keys } = access;
  const name = nameOf(thrown);
  const status = statusOf(thrown);
  if (name === 'NoSuchBucket') return ['not-found', `path not found: there is no bucket ${bucket}`];
  if (BAD_KEYS.has(name))
    return ['authentication', `authentication failed: the object store refused the keys that are registered for the bucket ${bucket}`];
  if (name === 'RequestTimeTooSkewed')
    return ['authentication', 'authentication failed: the clocks of this service and of the object store differ too much'];
  if (status === 401 || status === 403)
    return keys === null
      ? ['authentication', `authentication failed: the bucket ${bucket} is not public: did you register credentials for ${bucket}?`]
      : ['not-allowed', `access refused: the keys registered for the bucket ${bucket} do not allow this`];
  if (status === 412) return ['changed', 'the object has changed since the query looked at it'];
  if (status === 301 || name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed')
    return ['refused', `the bucket ${bucket} lies in another region${access.region === null ? '' : ` than ${access.region}`}`];
  if (isNoSuchObject(thrown)) return ['not-found', 'path not found'];
  if (name === 'SlowDown' || status === 429 || status === 503) return ['refused', 'the object store is too busy to answer'];
  if (status !== null && status >= 400) return ['refused', `the object store answered with status ${status}`];
  // A signature is for one host: for a store that redirects, the endpoint must be configured.
  if (status !== null && status >= 300)
    return ['refused', `the object store redirects to another address (status ${status}), which is not followed`];
  return connectionFault(thrown);
}

const FAULTS: Readonly<Record<string, Cause>> = {
  ENOTFOUND: ['refused', 'the host of the object store is not known'],
  EAI_AGAIN: ['refused', 'the host of the object store could not be looked up'],
  ECONNREFUSED: ['refused', 'the object store refused the connection'],
  ECONNRESET: ['broken', 'the connection to the object store broke'],
  EPIPE: ['broken', 'the connection to the object store broke'],
  ETIMEDOUT: ['timed-out', 'the object store did not answer in time'],
};

function connectionFault(thrown: unknown): Cause {
  let error: unknown = thrown;
  for (let depth = 0; types.isNativeError(error) && depth < 5; depth += 1) {
    if (isAddressNotAllowed(error)) return ['not-allowed', 'the address of the object store may not be reached from here'];
    const { name, message } = error;
    const code = codeOf(error);
    // The SDK may wrap an error and keep only its message.
    const fault = Object.entries(FAULTS).find(([known]) => code === known || message.includes(known));
    if (fault !== undefined) return fault[1];
    if (name === 'TimeoutError') return ['timed-out', 'the object store did not answer in time'];
    if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return connectionFault(error.errors[0]);
    error = error.cause;
  }
  return ['broken', 'the object store could not be reached'];
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function nameOf(thrown: unknown): string {
  return types.isNativeError(thrown) ? thrown.name : '';
}
