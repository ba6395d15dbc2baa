import { pipeline } from 'node:stream/promises';

import type { Principal } from '@svc/auth';
import { checkArguments, type WorkingEndpoint } from '@svc/endpoints';
import { ServiceError, serviceUnavailable, type QueryFailureBody } from '@svc/errors';
import { checkBodyType, decodeText, readBody, requestIdOf } from '@svc/service-kit';
import type { Request, Response } from 'express';

import { chooseAnswerFormat } from './answer-format.ts';
import type { ExecutorAnswer, ExecutorClient } from './executor-client.ts';

/** Dependencies of the answering of calls. */
export interface CallAnswering {
  readonly executor: Pick<ExecutorClient, 'call'>;
  readonly bodyLimitBytes: number;
}

/** An authorized call of an endpoint. */
export interface EndpointRequest {
  readonly endpoint: WorkingEndpoint;
  readonly pathTexts: ReadonlyMap<string, string>;
  readonly caller: Omit<Principal, 'kind'>;
  readonly req: Request;
  readonly res: Response;
}

/** Headers of the caller that are forwarded to the executor. */
const FORWARDED = ['accept-encoding', 'traceparent', 'tracestate', 'x-svc-max-bytes', 'x-svc-windows-line-ending'];

/** Checks the arguments of a call, forwards it to the executor, and streams the response. */
export async function answerCall({ executor, bodyLimitBytes }: CallAnswering, { endpoint, pathTexts, caller, req, res }: EndpointRequest) {
  const { format, contentType } = chooseAnswerFormat(req, endpoint.endpoint.format);
  const json = await readArguments(req, res, { endpoint, pathTexts, bodyLimitBytes });
  const left = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) left.abort(new Error('The client went away.'));
  });
  const forwarded = FORWARDED.flatMap((name) => {
    const value = req.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const wantsProblem = req.headers.accept?.includes('problem+json') === true;
  const answer = await executor.call({
    packageName: endpoint.packageName,
    functionName: endpoint.described.name,
    json,
    caller,
    headers: {
      ...Object.fromEntries(forwarded),
      ...(wantsProblem && { accept: 'application/problem+json' }),
      'x-svc-output-format': format,
      'x-request-id': requestIdOf(req),
    },
    signal: left.signal,
  });
  await sendAnswer(req, res, { answer, contentType });
}

interface ArgumentReading {
  readonly endpoint: WorkingEndpoint;
  readonly pathTexts: ReadonlyMap<string, string>;
  readonly bodyLimitBytes: number;
}

async function readArguments(req: Request, res: Response, { endpoint, pathTexts, bodyLimitBytes }: ArgumentReading): Promise<string> {
  const start = req.url.indexOf('?');
  const query = new URLSearchParams(start === -1 ? '' : req.url.slice(start + 1));
  const checked = checkArguments(endpoint, {
    path: pathTexts,
    query,
    body: hasBody(req) ? await readText(req, res, { endpoint, bodyLimitBytes }) : null,
  });
  if (checked.kind === 'problems') throw new ServiceError('bad_request', checked.problems.join(' '));
  return checked.json;
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A body that the endpoint does not accept is rejected without being read. Null if a chunked body turns out to be empty. */
async function readText(req: Request, res: Response, { endpoint, bodyLimitBytes }: Omit<ArgumentReading, 'pathTexts'>) {
  if (endpoint.endpoint.bodyParameter === null) return '';
  checkBodyType(req, 'json');
  const bytes = await readBody(req, res, bodyLimitBytes);
  return bytes.length === 0 ? null : decodeText(bytes);
}

/** Headers of the connection to the executor, and headers that this service sets itself, those for browsers among them. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'date', 'x-request-id', 'trailer', 'vary']);
const BROWSER_HEADERS = 'access-control-';

/** An answer of this size is read before any of it is sent: one write costs less than a stream. */
const WHOLE_BYTES = 16 * 1024;

async function readWhole(body: ExecutorAnswer['body']): Promise<Uint8Array> {
  try {
    return await body.bytes();
  } catch (error) {
    throw serviceUnavailable('The endpoint cannot be answered now. Try again later.', error);
  }
}

/**
 * Refuses errors that are not the caller's, who need not know its name: a package that was deleted after the endpoint was looked up, and
 * one that is invalid since what it uses has changed. These errors have places in its text; those of arguments have none.
 */
function refuseBrokenPackage(whole: Uint8Array): void {
  const body = JSON.parse(Buffer.from(whole).toString()) as Partial<QueryFailureBody & { readonly code: string }>; // as the executor answers
  const { code, validationErrors = [] } = body;
  if (code === 'package_not_found' || validationErrors.some(({ positions }) => positions.length > 0))
    throw serviceUnavailable('The endpoint cannot be answered now: its definition does not fit its package.');
}

interface Answer {
  readonly answer: ExecutorAnswer;
  readonly contentType: string;
}

/** Forwards a response under back-pressure. If it breaks off, so does the one to the client: it never looks complete. */
async function sendAnswer(req: Request, res: Response, { answer, contentType }: Answer): Promise<void> {
  const { statusCode, headers, body } = answer;
  const isRead = req.method !== 'HEAD' || statusCode === 400;
  const whole = isRead && Number(headers['content-length'] ?? Infinity) <= WHOLE_BYTES ? await readWhole(body) : undefined;
  if (statusCode === 400 && whole !== undefined) refuseBrokenPackage(whole);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OWN_HEADERS.has(name) && !name.startsWith(BROWSER_HEADERS)) res.setHeader(name, value);
  if (statusCode === 200) res.setHeader('Content-Type', contentType);
  const { trailer } = headers;
  const hasTrailers = trailer !== undefined && req.httpVersion !== '1.0' && req.method !== 'HEAD';
  if (hasTrailers) res.setHeader('Trailer', trailer);
  res.statusCode = statusCode;
  if (req.method === 'HEAD') {
    // The rest is discarded: the query is cancelled.
    body.on('error', () => undefined).destroy();
    res.end();
    return;
  }
  if (whole !== undefined) {
    res.end(whole);
    return;
  }
  try {
    await pipeline(body, res, { end: false });
  } catch (error) {
    // Without chunks the end of the connection is the end of the body, so the connection must be reset.
    if (res.headersSent && !res.chunkedEncoding) res.socket?.resetAndDestroy();
    // The executor has logged the reason, most often a failure of the query.
    throw serviceUnavailable('The answer broke off. Try again later.', error);
  }
  // Complete once the body is.
  if (hasTrailers) res.addTrailers(answer.trailers);
  res.end();
}
