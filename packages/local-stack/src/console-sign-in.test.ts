import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';

import { createSigningKey, startAuthorizationServer, type AuthorizationServer } from '@svc/local-authorization';

import { freePort } from './free-port.ts';
import { openCookieBrowser, type CookieBrowser } from './testing/cookie-browser.ts';

const AUDIENCE = 'urn:svc:test';
const CLIENT: oauth.Client = { client_id: 'console' };
const INSECURE = { [oauth.allowInsecureRequests]: true };

let server: AuthorizationServer;
let origin: string;
let metadata: oauth.AuthorizationServer;

beforeAll(async () => {
  origin = `http://127.0.0.1:${await freePort()}`;
  server = await startAuthorizationServer({
    host: '127.0.0.1',
    port: 0,
    audience: AUDIENCE,
    key: await createSigningKey('test'),
    client: { id: 'local', secret: 'a secret of the test' },
    consoleOrigins: [origin],
    namespaceClaim: 'org',
  });
  const issuer = new URL(server.issuer);
  metadata = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, INSECURE));
});

afterAll(() => server.stop());

interface SignIn {
  readonly browser: CookieBrowser;
  readonly verifier: string;
  readonly state: string;
  /** The first redirect of the authorization server, and its response. */
  readonly url: URL;
  readonly response: Response;
}

/** Begins as the console does. */
async function begin(browser = openCookieBrowser(), extra: Readonly<Record<string, string>> = {}): Promise<SignIn> {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(metadata.authorization_endpoint ?? '');
  const parameters = {
    client_id: 'console',
    response_type: 'code',
    redirect_uri: `${origin}/console/callback`,
    scope: 'openid svc:admin',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...extra,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { browser, verifier, state, ...(await browser.follow(url, await browser.get(url))) };
}

/** Sends the sign-in page's form. */
async function submit({ browser, url }: SignIn, form: Readonly<Record<string, string>>): Promise<{ url: URL; response: Response }> {
  return browser.follow(url, await browser.post(url, form));
}

async function exchange({ verifier, state }: SignIn, callback: URL, codeVerifier = verifier): Promise<Response> {
  const parameters = oauth.validateAuthResponse(metadata, CLIENT, callback, state);
  return oauth.authorizationCodeGrantRequest(
    metadata,
    CLIENT,
    oauth.None(),
    parameters,
    `${origin}/console/callback`,
    codeVerifier,
    INSECURE,
  );
}

async function signIn(subject: string, browser?: CookieBrowser, namespace = ''): Promise<oauth.TokenEndpointResponse> {
  const attempt = await begin(browser);
  const { url } = await submit(attempt, { subject, namespace, decision: 'sign-in' });
  return oauth.processAuthorizationCodeResponse(metadata, CLIENT, await exchange(attempt, url));
}

async function verify(token: string): Promise<Awaited<ReturnType<typeof jwtVerify>>['payload']> {
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(metadata.jwks_uri ?? '')), {
    issuer: server.issuer,
    audience: AUDIENCE,
  });
  return payload;
}

test('whoever names a subject gets a token for the services with the requested scope', async () => {
  const tokens = await signIn('ann');
  expect(await verify(tokens.access_token)).toMatchObject({ sub: 'ann', scope: 'svc:admin', client_id: 'console' });
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: 'ann', aud: 'console' });
});

test('a session needs no second sign-in, and a second browser does', async () => {
  const browser = openCookieBrowser();
  await signIn('ann', browser);
  const again = await begin(browser);
  const tokens = await oauth.processAuthorizationCodeResponse(metadata, CLIENT, await exchange(again, again.url));
  expect((await verify(tokens.access_token)).sub).toBe('ann');
  const other = await begin();
  expect(other.response.status).toBe(200);
  expect(await other.response.text()).toContain('<h1>Sign in</h1>');
});

test('a token is renewed with its scope, and the refresh token works once', async () => {
  const { refresh_token: refreshToken = '' } = await signIn('ann');
  const refresh = (): Promise<Response> => oauth.refreshTokenGrantRequest(metadata, CLIENT, oauth.None(), refreshToken, INSECURE);
  const renewed = await oauth.processRefreshTokenResponse(metadata, CLIENT, await refresh());
  expect(await verify(renewed.access_token)).toMatchObject({ sub: 'ann', scope: 'svc:admin' });
  expect((await refresh()).status).toBe(400);
});

test('where a claim names the namespace, its value is chosen at the sign-in and outlasts renewals; it is the subject if left empty', async () => {
  expect(await verify((await signIn('ann')).access_token)).toMatchObject({ sub: 'ann', org: 'ann' });
  const browser = openCookieBrowser();
  const { access_token: token, refresh_token: refreshToken = '' } = await signIn('ann', browser, 'acme');
  expect(await verify(token)).toMatchObject({ sub: 'ann', org: 'acme' });
  const answer = await oauth.refreshTokenGrantRequest(metadata, CLIENT, oauth.None(), refreshToken, INSECURE);
  const renewed = await oauth.processRefreshTokenResponse(metadata, CLIENT, answer);
  expect(await verify(renewed.access_token)).toMatchObject({ sub: 'ann', org: 'acme' });
  const again = await begin(browser);
  const tokens = await oauth.processAuthorizationCodeResponse(metadata, CLIENT, await exchange(again, again.url));
  expect(await verify(tokens.access_token)).toMatchObject({ sub: 'ann', org: 'acme' });
});

test('a code is worth nothing without its verifier, and nothing a second time', async () => {
  const attempt = await begin();
  const { url } = await submit(attempt, { subject: 'ann', decision: 'sign-in' });
  const stolen = await exchange(attempt, url, oauth.generateRandomCodeVerifier());
  expect([stolen.status, await stolen.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  const other = await begin();
  const callback = (await submit(other, { subject: 'ann', decision: 'sign-in' })).url;
  expect((await exchange(other, callback)).status).toBe(200);
  expect((await exchange(other, callback)).status).toBe(400);
});

test('without PKCE, or for another address than the console, nothing begins', async () => {
  const plain = await begin(openCookieBrowser(), { code_challenge: '', code_challenge_method: '' });
  expect(plain.url.searchParams.get('error')).toBe('invalid_request');
  const foreign = await begin(openCookieBrowser(), { redirect_uri: 'http://attacker.example/console/callback' });
  expect(foreign.response.status).toBe(400);
  expect(await foreign.response.text()).toContain('redirect_uri');
});

test('a cancelled sign-in goes back with access_denied', async () => {
  const { url } = await submit(await begin(), { subject: 'ann', decision: 'cancel' });
  expect([url.origin, url.searchParams.get('error')]).toEqual([origin, 'access_denied']);
});

test.each([
  ['no subject', '', 'Enter a subject.'],
  ['a long subject', 'x'.repeat(201), 'at most 200 characters'],
  ['a subject with a control character', 'a\u0000b', 'A subject has no control characters'],
])('%s is refused on the page', async (_name, subject, problem) => {
  const { response } = await submit(await begin(), { subject, decision: 'sign-in' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(problem);
});

test('the pages run no script, sit in no frame, and show markup as text', async () => {
  const { response } = await submit(await begin(), { subject: `<script>alert("1")</script>${'x'.repeat(200)}`, decision: 'sign-in' });
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain(`form-action 'self' ${origin}`);
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  const html = await response.text();
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)');
  expect(html).not.toContain('<script');
});

test('a sign-in form of one browser is useless in another', async () => {
  const { url } = await begin();
  const response = await openCookieBrowser().post(url, { subject: 'mallory', decision: 'sign-in' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('This sign-in is over');
});

test('after signing out, the session and its refresh tokens are over', async () => {
  const browser = openCookieBrowser();
  const { id_token: hint = '', refresh_token: refreshToken = '' } = await signIn('ann', browser);
  const url = new URL(metadata.end_session_endpoint ?? '');
  url.searchParams.set('id_token_hint', hint);
  url.searchParams.set('post_logout_redirect_uri', `${origin}/console/signed-out`);
  const page = await (await browser.get(url)).text();
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
  const confirm = new URL(`${url.pathname}/confirm`, url);
  const { url: end } = await browser.follow(confirm, await browser.post(confirm, { xsrf, logout: 'yes' }));
  expect(end.href).toBe(`${origin}/console/signed-out`);
  expect(await (await begin(browser)).response.text()).toContain('<h1>Sign in</h1>');
  const refreshed = await oauth.refreshTokenGrantRequest(metadata, CLIENT, oauth.None(), refreshToken, INSECURE);
  expect(refreshed.status).toBe(400);
});

test('only the console may read the token endpoint from a browser', async () => {
  const allowed = async (from: string): Promise<string | null> => {
    const response = await fetch(metadata.token_endpoint ?? '', {
      method: 'POST',
      headers: { Origin: from },
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'console', refresh_token: 'none' }),
    });
    return response.headers.get('Access-Control-Allow-Origin');
  };
  expect(await allowed(origin)).toBe(origin);
  expect(await allowed('http://attacker.example')).toBeNull();
});
