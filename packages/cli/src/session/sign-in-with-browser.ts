import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as oauth from 'oauth4webapi';

import { CommandError } from '../failures/cli-errors.ts';
import { readRefusal, requestOptions, toStoredTokens, type Authorization } from './authorization.ts';
import type { StoredTokens } from './token-store.ts';

/** Options of a sign-in in the browser. */
export interface BrowserSignIn {
  readonly authorization: Authorization;
  readonly scope: string;
  /** Shows the URL to the user, and opens it if possible. */
  readonly show: (url: URL) => void;
  readonly signal: AbortSignal;
}

const SIGN_IN_TIMEOUT_MS = 300_000;
const PATH = '/callback';

/** Signs in by authorization code with PKCE; the redirect goes to a local port (RFC 8252, 7.3). */
export async function signInWithBrowser({ authorization, scope, show, signal }: BrowserSignIn): Promise<StoredTokens> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo; // a server that listens on a port has this kind of address
    const redirectUri = `http://127.0.0.1:${port}${PATH}`;
    const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
    const limit = AbortSignal.any([signal, AbortSignal.timeout(SIGN_IN_TIMEOUT_MS)]);
    const answered = waitForAnswer({ server, authorization, redirectUri, state, signal: limit });
    show(await authorizationUrl(authorization, { redirectUri, state, verifier, scope }));
    const parameters = await answered;
    const { server: metadata, client } = authorization;
    const response = await oauth.authorizationCodeGrantRequest(metadata, client, oauth.None(), parameters, redirectUri, verifier, {
      ...requestOptions(authorization, signal),
      ...(authorization.audience !== undefined && { additionalParameters: { resource: authorization.audience } }),
    });
    return toStoredTokens(authorization, await oauth.processAuthorizationCodeResponse(metadata, client, response));
  } catch (error) {
    const refusal = readRefusal(error);
    throw refusal === undefined ? error : new CommandError(refusal, { cause: error });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
  readonly scope: string;
}

async function authorizationUrl(
  { server, issuer, clientId, audience }: Authorization,
  { redirectUri, state, verifier, scope }: AuthorizationRequest,
): Promise<URL> {
  if (server.authorization_endpoint === undefined)
    throw new CommandError(`The authorization server ${issuer} has no sign-in page: try svc login --device.`);
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(audience !== undefined && { resource: audience }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

interface AnswerWaiting {
  readonly server: ReturnType<typeof createServer>;
  readonly authorization: Authorization;
  readonly redirectUri: string;
  readonly state: string;
  readonly signal: AbortSignal;
}

/** Waits for the authorization response. Requests that do not belong to this sign-in, which any page could send, are ignored. */
function waitForAnswer({ server, authorization, redirectUri, state, signal }: AnswerWaiting): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason instanceof Error ? explainEnd(signal.reason) : new CommandError('The sign-in has ended.'));
    signal.addEventListener('abort', end, { once: true });
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      const url = new URL(req.url ?? '/', redirectUri);
      if (req.method !== 'GET' || url.pathname !== PATH) return sendPage(res, 404, 'There is nothing here.');
      if (url.searchParams.get('state') !== state) return sendPage(res, 400, 'This is no answer to the sign-in that waits here.');
      try {
        const parameters = oauth.validateAuthResponse(authorization.server, authorization.client, url, state);
        sendPage(res, 200, 'You are signed in. You can close this window, and go on in the terminal.');
        resolve(parameters);
      } catch (error) {
        sendPage(res, 400, 'You are not signed in. The terminal says why.');
        reject(error as Error);
      }
    });
  });
}

function explainEnd(reason: Error): Error {
  return reason.name === 'TimeoutError' ? new CommandError('Nobody signed in for 5 minutes: svc login begins anew.') : reason;
}

function sendPage(res: ServerResponse, status: number, text: string): void {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  };
  res.writeHead(status, headers).end(`<!doctype html><html lang="en"><title>svc</title><h1>svc</h1><p>${text}</p></html>\n`);
}
