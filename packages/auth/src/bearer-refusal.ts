import { ServiceError } from '@svc/errors';

/** Returns the error for a request without a token. By RFC 6750 it carries no error code. */
export function refuseMissingToken(): ServiceError {
  return refuse('unauthorized', 'An access token is needed: send it as "Authorization: Bearer <token>".', {});
}

/** Returns the error for a request whose credentials are malformed. */
export function refuseMalformedRequest(message: string): ServiceError {
  return refuse('unauthorized', message, { error: 'invalid_request', error_description: message });
}

/** Returns the error for an invalid token; `message` is public, the cause is for the log. */
export function refuseToken(message: string, options: { readonly cause?: unknown } = {}): ServiceError {
  return refuse('unauthorized', message, { error: 'invalid_token', error_description: message }, options);
}

/** Returns the error for a valid token that lacks the required scope. */
export function refuseScope(scope: string): ServiceError {
  const message = `The access token lacks the scope ${scope}.`;
  return refuse('forbidden', message, { error: 'insufficient_scope', error_description: message, scope });
}

function refuse(
  code: 'unauthorized' | 'forbidden',
  message: string,
  parameters: Readonly<Record<string, string>>,
  { cause }: { readonly cause?: unknown } = {},
): ServiceError {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${toQuotable(value)}"`);
  const challenge = ['Bearer', written.join(', ')].join(' ').trim();
  return new ServiceError(code, message, { cause, headers: { 'WWW-Authenticate': challenge } });
}

/** RFC 6750 admits printable ASCII without quotes and backslashes in these parameters. */
function toQuotable(text: string): string {
  return text.replaceAll(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, "'");
}
