import type { StoredApiKey } from '@svc/database';
import { isOpen, type EndpointMatch, type MatchedEndpoint } from '@svc/endpoints';
import { ServiceError, serviceUnavailable } from '@svc/errors';
import { checkPercentEncoding } from '@svc/service-kit';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { ApplicationCache } from '../applications/application-cache.ts';
import type { ServedApplication } from '../applications/application-reader.ts';
import { readApiKeyHeader, refuseKey } from '../callers/api-key-header.ts';
import { countCall, type CallCount } from '../callers/count-call.ts';
import type { KeyCheck } from '../callers/key-check.ts';
import { answerCall, type CallAnswering } from './answer-call.ts';

/** Dependencies of endpoint calls. */
export interface CallHandling extends CallCount, CallAnswering {
  readonly applications: ApplicationCache;
  readonly keyCheck: KeyCheck;
}

/** `/<application>/1/public/<endpoint path>` */
const CALL = /^\/([^/]+)\/1\/public(\/.*)?$/;

/**
 * Handles calls of application endpoints; other paths go on. The order of checks is a promise: who calls (401), how often (429), the scopes
 * (403), percent-encoding, path (404), method (405), and then those of the call itself.
 */
export function createCallHandler(handling: CallHandling): RequestHandler {
  return async (req, res, next) => {
    const [, name = '', path = ''] = CALL.exec(req.path) ?? [];
    if (name === '' || name === 'svc') next();
    else await handleCall(handling, { name, path, req, res });
  };
}

interface Call {
  readonly name: string;
  readonly path: string;
  readonly req: Request;
  readonly res: Response;
}

/** What decides on a response to the same URL, an error too: its format, its encoding and the caller. */
const VARIES_BY = 'Accept, Accept-Encoding, X-SVC-API-KEY';

async function handleCall(handling: CallHandling, { name, path, req, res }: Call): Promise<void> {
  res.routePath = '/:application/1/public/*';
  res.vary(VARIES_BY);
  const text = readApiKeyHeader(req);
  const [found, application] = await Promise.all([
    text === undefined ? null : handling.keyCheck.find(text),
    handling.applications.get(name),
  ]);
  // A key of another namespace is treated as invalid.
  const key = found !== null && found.namespace === application?.namespace ? found : null;
  const match = application?.match(path) ?? null;
  const matched = match?.methods.get(req.method === 'HEAD' ? 'GET' : req.method);
  if (application === null || (key === null && (matched === undefined || !isOpen(matched.endpoint)))) throw refuseKey();
  if (key !== null) {
    // A cache that others share knows what Authorization means, and nothing of keys: it would answer one that is no longer valid.
    res.setHeader('Cache-Control', 'private');
    await countCall(key, res, handling);
  }
  if (matched !== undefined) requireScopes(matched, key);
  checkPercentEncoding(req, res, ignore);
  const endpoint = matched ?? refusePath(req, match);
  await answerEndpoint(handling, { endpoint, application, key, req, res });
}

/** A check that passes calls it. */
const ignore: NextFunction = () => undefined;

function requireScopes({ endpoint }: MatchedEndpoint, key: StoredApiKey | null): void {
  const missing = endpoint.endpoint.scopes.filter((scope) => key?.scopes.includes(scope) !== true);
  if (missing.length > 0) throw new ServiceError('forbidden', `The API key lacks the scope ${missing.join(', ')} of this endpoint.`);
}

function refusePath(req: Request, match: EndpointMatch | null): never {
  if (match === null) throw new ServiceError('not_found', req.path);
  const allowed = [...match.methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  throw new ServiceError('method_not_allowed', allowed, { headers: { Allow: allowed } });
}

interface EndpointCall {
  readonly endpoint: MatchedEndpoint;
  readonly application: ServedApplication;
  readonly key: StoredApiKey | null;
  readonly req: Request;
  readonly res: Response;
}

async function answerEndpoint(handling: CallHandling, { endpoint: matched, application, key, req, res }: EndpointCall): Promise<void> {
  const { endpoint, pathTexts } = matched;
  if (endpoint.kind === 'broken') throw serviceUnavailable('The endpoint cannot be answered now: its definition does not fit its package.');
  const { namespace, owners } = application;
  const subject = key === null ? owners.get(endpoint.packageName) : key.createdBy;
  if (subject === undefined) throw serviceUnavailable('The endpoint cannot be answered now: nobody owns its package. Store it again.');
  const caller = { subject, namespace, scopes: key?.scopes ?? [] };
  await answerCall(handling, { endpoint, pathTexts, caller, req, res });
}
