import { STATUS_CODES } from 'node:http';
import { types } from 'node:util';

import { AddressNotAllowed } from '@svc/network-guard';
import { ownValue } from '@svc/query-language';
import { isReadFailure } from '@svc/text-formats';

import { SourceFailure, type SourceFailureCause } from '../source-failure.ts';

type Fault = readonly [SourceFailureCause, string];

/** By the error codes of Node and undici. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ENOTFOUND: ['not-found', 'the host is not known'],
  EAI_AGAIN: ['timed-out', 'the host could not be looked up'],
  ECONNREFUSED: ['refused', 'the connection was refused'],
  EHOSTUNREACH: ['refused', 'the host cannot be reached'],
  ENETUNREACH: ['refused', 'the host cannot be reached'],
  ECONNRESET: ['broken', 'the connection broke'],
  EPIPE: ['broken', 'the connection broke'],
  UND_ERR_SOCKET: ['broken', 'the connection broke'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['broken', 'fewer or more bytes came than were announced'],
  ETIMEDOUT: ['timed-out', 'the connection took too long'],
  UND_ERR_CONNECT_TIMEOUT: ['timed-out', 'the connection took too long'],
  UND_ERR_HEADERS_TIMEOUT: ['timed-out', 'no answer came in time'],
  UND_ERR_BODY_TIMEOUT: ['timed-out', 'the answer stopped to come'],
  UND_ERR_HEADERS_OVERFLOW: ['too-large', 'the headers of the answer are too large'],
  UND_ERR_INVALID_ARG: ['broken', 'it redirects to where nothing can be read'],
  ERR_INVALID_URL: ['broken', 'it redirects to where nothing can be read'],
  Z_BUF_ERROR: ['broken', 'the compressed answer ended too early'],
};

/** Converts a connection failure to words for the author of the query. */
export function explainHttp(thrown: unknown, location: string): unknown {
  if (isReadFailure(thrown)) return thrown;
  const [failure, message] = faultOf(thrown) ?? ['broken', 'it could not be read'];
  return new SourceFailure(failure, `${location}: ${message}`, { cause: thrown });
}

function faultOf(thrown: unknown): Fault | null {
  let error = thrown;
  for (let depth = 0; types.isNativeError(error) && depth < 5; depth += 1) {
    if (error instanceof AddressNotAllowed) return ['not-allowed', error.message];
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    const known = ownValue(FAULTS, code);
    if (known !== undefined) return known;
    if (code.startsWith('HPE_') || error.name === 'HTTPParserError') return ['broken', 'the answer is not HTTP'];
    if (/^(Z_|ERR_ZLIB|ERR_BROTLI|ERR__ERROR|ZSTD_|ERR_ZSTD)/.test(code)) return ['broken', 'the answer cannot be decompressed'];
    if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code)) return ['refused', `no secure connection could be made (${code})`];
    if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) error = error.errors[0];
    else error = error.cause;
  }
  return null;
}

/** Credential of a request, by its record, if any. */
export interface AskedAs {
  /** Prefix of the credential in use. Null without one. */
  readonly prefixUrl: string | null;
  readonly origin: string;
}

/** Converts an error status to a failure. */
export function explainStatus(status: number, location: string, { prefixUrl, origin }: AskedAs): SourceFailure {
  if (status === 404 || status === 410) return new SourceFailure('not-found', `path not found: ${location}`);
  if (status === 401 || (status === 403 && prefixUrl === null))
    return new SourceFailure(
      'authentication',
      prefixUrl === null
        ? `authentication failed: ${location}: did you register credentials for ${origin}?`
        : `authentication failed: ${location}: the credentials registered for ${prefixUrl} were not accepted`,
    );
  if (status === 403)
    return new SourceFailure('refused', `${location}: access refused: the credentials registered for ${prefixUrl} do not allow this`);
  if (status === 408 || status === 504) return new SourceFailure('timed-out', `${location}: ${said(status)}`);
  if (status === 429) return new SourceFailure('refused', `${location}: ${said(status)}: it was asked too often`);
  if (status >= 300 && status < 400)
    return new SourceFailure('broken', `${location}: it redirects too often, or to nowhere (status ${status})`);
  return new SourceFailure('broken', `${location}: ${said(status)}`);
}

function said(status: number): string {
  return `the server ${answeredStatus(status)}`;
}

/** Returns what a server did, with the name of the status. */
export function answeredStatus(status: number): string {
  const name = STATUS_CODES[status];
  return `answered with status ${status}${name === undefined ? '' : ` ${name}`}`;
}
