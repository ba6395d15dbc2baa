import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { orAborted } from '@svc/concurrency';
import type { AgentOptions, NetworkGuard } from '@svc/network-guard';
import { interrupted } from '@svc/text-formats';
import { createZstdDecoder } from '@svc/zstd';
import type { Agent, Dispatcher } from 'undici';
import { interceptors } from 'undici';

import { SourceFailure } from '../source-failure.ts';
import { explainHttp } from './http-failure.ts';
import type { HttpRequest } from './http-request.ts';

/** Timeouts and retries. */
export interface HttpLimits {
  readonly connectTimeoutMs: number;
  /** Until an answer begins. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of it. */
  readonly idleTimeoutMs: number;
  /** Maximum wait on request of a server. */
  readonly maxRetryWaitMs: number;
  readonly retryWaitMs: number;
}

/** Default limits. */
export const HTTP_LIMITS: HttpLimits = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 120_000,
  idleTimeoutMs: 30_000,
  maxRetryWaitMs: 30_000,
  retryWaitMs: 300,
};

/** Headers and abort signal of a request. */
export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Sent only to the origin of the request. */
  readonly authorization: string | null;
  readonly signal: AbortSignal;
}

/** A response. Its body must be read or closed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Reads the body with its content encoding removed. Stopping early closes the connection. */
  readonly body: () => AsyncGenerator<Uint8Array>;
  /** Discards the unread rest. */
  readonly close: () => void;
}

/** Sends requests. */
export interface HttpClient {
  /** Sends a request and returns the response of any status. Fails with a SourceFailure, or an interrupted ReadFailure. */
  readonly send: (request: HttpRequest, options: SendOptions) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

const MAX_REDIRECTS = 5;
const MAX_ATTEMPTS = 3;
/** Statuses after which the same request may be answered. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Failures before a response that may be temporary. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EAI_AGAIN']);
const CONNECTIONS_PER_ORIGIN = 32;
const ENCODINGS = 'gzip, br, zstd';

/** Creates a client whose connections the network guard restricts. */
export function createHttpClient(guard: NetworkGuard, limits: HttpLimits, options: Pick<AgentOptions, 'pipelining'> = {}): HttpClient {
  const agent = guard.createAgent({
    ...options,
    connectTimeout: limits.connectTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    connections: CONNECTIONS_PER_ORIGIN,
  });
  return {
    send: async (request, options) => {
      for (let attempt = 1; ; attempt += 1) {
        const isLast = attempt === MAX_ATTEMPTS || !request.isSafe;
        const answer = await ask(agent, request, options).catch((thrown: unknown) =>
          failedAttempt(thrown, { request, isLast, ...options }),
        );
        const wait = answer === null ? limits.retryWaitMs * attempt : isLast ? null : waitAfter(answer, limits, attempt);
        if (answer !== null && wait === null) return answer;
        answer?.close();
        await sleep(wait ?? 0, undefined, { signal: options.signal }).catch((thrown: unknown) => {
          throw interrupted(thrown);
        });
      }
    },
    close: () => agent.destroy(),
  };
}

/** Returns null if a retry is worthwhile. A response that has begun is never requested again: the rest may be of another state. */
function failedAttempt(
  thrown: unknown,
  { request, isLast, signal }: { readonly request: HttpRequest; readonly isLast: boolean; readonly signal: AbortSignal },
): null {
  if (signal.aborted) throw interrupted(thrown);
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
  if (!isLast && TRANSIENT_CODES.has(code)) return null;
  throw explainHttp(thrown, request.location);
}

/** Returns the delay before a retry; null for no retry. */
function waitAfter({ status, headers }: HttpAnswer, { retryWaitMs, maxRetryWaitMs }: HttpLimits, attempt: number): number | null {
  if (!TRANSIENT.has(status)) return null;
  const told = headers['retry-after'];
  if (told === undefined) return retryWaitMs * 2 ** attempt;
  const wait = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now();
  return Number.isNaN(wait) ? retryWaitMs * 2 ** attempt : wait > maxRetryWaitMs ? null : Math.max(0, wait);
}

async function ask(agent: Agent, request: HttpRequest, { headers, authorization, signal }: SendOptions): Promise<HttpAnswer> {
  const { url, method, body, location } = request;
  signal.throwIfAborted();
  const sent = {
    'user-agent': 'svc',
    accept: '*/*',
    ...(body === null ? {} : { 'content-type': contentTypeOf(body) }),
    ...request.headers,
    'accept-encoding': ENCODINGS,
    ...headers,
    ...(authorization === null ? {} : { authorization }),
  };
  const dispatcher = agent.compose(
    interceptors.redirect({
      // A body may contain a secret, and a redirect would forward it.
      maxRedirections: body === null ? MAX_REDIRECTS : 0,
      stripHeadersOnCrossOriginRedirect: Object.keys(request.headers),
    }),
  );
  const asked = dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers: sent,
    body,
    signal,
  });
  // undici looks at the signal only once it is connected.
  const answer = await orAborted(asked, { signal, discard: ({ body: late }) => void late.on('error', () => undefined).destroy() });
  answer.body.on('error', () => undefined); // told to whoever reads it
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: () => decoded(answer.body, answer.headers, { location, signal }),
    close: () => void answer.body.destroy(),
  };
}

function contentTypeOf(body: string): string {
  return /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain; charset=utf-8';
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  // RFC 9659 limits the window to 8 MB.
  ['zstd', () => createZstdDecoder({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
]);

async function* decoded(
  body: Readable,
  headers: IncomingHttpHeaders,
  { location, signal }: { readonly location: string; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  try {
    const named = (headers['content-encoding'] ?? '').toLowerCase().split(',');
    const encodings = named.map((name) => name.trim()).filter((name) => !NOT_ENCODED.has(name));
    let stream: Readable = body;
    for (const encoding of encodings.toReversed()) {
      const create = DECODERS.get(encoding);
      if (create === undefined || encodings.length > MAX_ENCODINGS)
        throw new SourceFailure('broken', `${location}: the answer is encoded as ${encoding.slice(0, 40)}, which is not known here`);
      stream = pipeline(stream, create(), () => undefined); // the failure is that of the stream that is read
    }
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (thrown) {
    throw signal.aborted ? interrupted(thrown) : explainHttp(thrown, location);
  } finally {
    body.destroy();
  }
}

/** Names of no encoding. Stores of S3 answer `aws-chunked` for what was sent to them so, and send it as it is. */
const NOT_ENCODED: ReadonlySet<string> = new Set(['', 'identity', 'none', 'aws-chunked']);
const MAX_ENCODINGS = 2;
