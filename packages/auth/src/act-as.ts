import type { IncomingMessage } from 'node:http';

import { ServiceError } from '@svc/errors';

import type { Authenticator } from './authenticate-bearer.ts';
import type { Principal } from './principal.ts';

/** The scope of a client that may call on behalf of others. */
export const ACT_AS_SCOPE = 'svc:act-as';

const SUBJECT = 'x-svc-act-as';
const NAMESPACE = 'x-svc-act-as-namespace';
const SCOPES = 'x-svc-act-as-scopes';

/** Returns the headers that name the subject of a request. Values are percent-encoded, since headers are limited to Latin-1. */
export function actAsHeaders({ subject, namespace, scopes }: Omit<Principal, 'kind'>): Readonly<Record<string, string>> {
  return {
    [SUBJECT]: encodeURIComponent(subject),
    [NAMESPACE]: encodeURIComponent(namespace),
    [SCOPES]: scopes.map(encodeURIComponent).join(' '),
  };
}

/**
 * Returns an authenticator that accepts the headers above from one client alone, whose token must have the scope, too. From
 * any other caller, and if no such client is configured, they are `forbidden`.
 */
export function createActingAuthenticator(authenticate: Authenticator, clientId: string | undefined): Authenticator {
  return async (req) => {
    const caller = await authenticate(req);
    if (![SUBJECT, NAMESPACE, SCOPES].some((name) => req.headers[name] !== undefined)) return caller;
    if (clientId === undefined || caller.clientId !== clientId || !caller.scopes.includes(ACT_AS_SCOPE))
      throw new ServiceError('forbidden', 'The headers X-SVC-Act-As… are for the gateway alone.');
    const subject = readText(req, SUBJECT);
    const namespace = readText(req, NAMESPACE);
    const scopes = (req.headersDistinct[SCOPES]?.[0] ?? '').split(' ').filter((scope) => scope !== '');
    return { subject, namespace, scopes: scopes.map((scope) => decode(scope, SCOPES)), kind: 'key' };
  };
}

function readText(req: IncomingMessage, name: string): string {
  const [text, ...others] = req.headersDistinct[name] ?? [];
  const value = text === undefined || others.length > 0 ? '' : decode(text, name);
  if (value === '' || value.includes('\0')) throw unusable(name);
  return value;
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable(name);
  }
}

function unusable(name: string): ServiceError {
  return new ServiceError('bad_request', `The header ${name} must be given once, as percent-encoded text.`);
}
