import { createPublicKey, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

import { isServiceError, type ServiceError } from '@svc/errors';

import { createAccessTokenVerifier, type AccessTokenOptions } from './access-token-verifier.ts';
import { createBearerAuthenticator } from './authenticate-bearer.ts';

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

async function aKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A real HTTP server with an issuer's discovery document and key set; it counts what it is asked, and can fail. */
class Issuer {
  keys: readonly Key[] = [];
  isDown = false;
  isOidc = true;
  claimedIssuer: string | undefined;
  fetches = 0;
  url = '';
  readonly #server: Server = createServer((req, res) => {
    res.setHeader('Connection', 'close');
    const path = req.url ?? '';
    const wellKnown = this.isOidc ? '/.well-known/openid-configuration' : '/.well-known/oauth-authorization-server';
    if (this.isDown) res.writeHead(503).end();
    else if (path === wellKnown) res.end(JSON.stringify({ issuer: this.claimedIssuer ?? this.url, jwks_uri: `${this.url}/jwks` }));
    else if (path === '/jwks') {
      this.fetches += 1;
      res.end(JSON.stringify({ keys: this.keys.map((key) => key.jwk) }));
    } else res.writeHead(404).end();
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const AUDIENCE = 'https://api.example';
let issuer: Issuer;
let first: Key;
let second: Key;
let now: Date;

beforeAll(async () => {
  [first, second] = await Promise.all([aKey('first'), aKey('second', 'RS256')]);
});

beforeEach(async () => {
  now = new Date('2026-01-01T12:00:00Z');
  issuer = new Issuer();
  issuer.keys = [first];
  await issuer.start();
});

afterEach(() => issuer.stop());

const seconds = (offset: number): number => Math.floor(now.getTime() / 1000) + offset;

/** A good token, but for the changes; an undefined claim is left out. */
async function aToken(claims: JWTPayload = {}, signedWith: Pick<Key, 'kid' | 'alg' | 'privateKey'> = first, header = {}): Promise<string> {
  const all = { iss: issuer.url, aud: AUDIENCE, sub: 'ann', exp: seconds(600), ...claims };
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(payload).setProtectedHeader({ alg: signedWith.alg, kid: signedWith.kid, ...header }).sign(signedWith.privateKey);
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function anAuthenticator(options: Partial<AccessTokenOptions> = {}) {
  const verifier = createAccessTokenVerifier({ issuer: issuer.url, audience: AUDIENCE, namespaceClaim: 'sub', now: () => now, ...options });
  const authenticate = createBearerAuthenticator(verifier);
  return async (authorization: string | undefined, url = '/') => {
    const headersDistinct = authorization === undefined ? {} : { authorization: [authorization] };
    return authenticate({ url, headersDistinct } as unknown as IncomingMessage);
  };
}

async function refusalOf(pending: Promise<unknown>): Promise<ServiceError> {
  try {
    await pending;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error('The request was not refused.');
}

const challengeOf = (error: ServiceError): string | undefined => error.headers['WWW-Authenticate'];

describe('a good token', () => {
  test('tells who calls', async () => {
    const authenticate = anAuthenticator();

    const principal = await authenticate(`Bearer ${await aToken({ scope: 'read write' })}`);

    expect(principal).toEqual({ subject: 'ann', namespace: 'ann', scopes: ['read', 'write'], kind: 'token' });
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('may come with the scheme written %p', async (scheme) => {
    expect(await anAuthenticator()(`${scheme} ${await aToken()}`)).toMatchObject({ subject: 'ann' });
  });

  test('may name several audiences, and none of the types of RFC 9068', async () => {
    const token = await aToken({ aud: ['https://other.example', AUDIENCE] }, first, { typ: 'JWT' });

    expect(await anAuthenticator()(`Bearer ${token}`)).toMatchObject({ subject: 'ann' });
  });

  test('may name no key, even where the issuer has several that could have signed it', async () => {
    const third = await aKey('third');
    issuer.keys = [third, first, second];

    expect(await anAuthenticator()(`Bearer ${await aToken({}, first, { kid: undefined })}`)).toMatchObject({ subject: 'ann' });
  });

  test.each([
    ['exp', { exp: -4 }],
    ['nbf', { nbf: 4 }],
  ] as const)('may be off by less than five seconds in %s', async (_claim, offsets) => {
    const claims = Object.fromEntries(Object.entries(offsets).map(([claim, offset]) => [claim, seconds(offset)]));

    expect(await anAuthenticator()(`Bearer ${await aToken(claims)}`)).toMatchObject({ subject: 'ann' });
  });

  test('is found by RFC 8414 discovery, or by the URL of the keys', async () => {
    issuer.isOidc = false;
    expect(await anAuthenticator()(`Bearer ${await aToken()}`)).toMatchObject({ subject: 'ann' });
    expect(await anAuthenticator({ jwksUrl: new URL(`${issuer.url}/jwks`) })(`Bearer ${await aToken()}`)).toMatchObject({ subject: 'ann' });
  });
});

describe('no token', () => {
  test.each([[undefined], [''], ['Basic YTpi'], ['Bearertoken']])('%p is 401 without an error code', async (authorization) => {
    const error = await refusalOf(anAuthenticator()(authorization));

    expect([error.status, error.code, challengeOf(error)]).toEqual([401, 'unauthorized', 'Bearer']);
  });

  test('a token in the URL is not looked at', async () => {
    const error = await refusalOf(anAuthenticator()(undefined, `/query?access_token=${await aToken()}`));

    expect([error.status, challengeOf(error)]).toEqual([401, 'Bearer']);
  });

  test('two Authorization headers are refused, though each is good', async () => {
    const header = `Authorization: Bearer ${await aToken()}`;
    const { promise: refused, resolve } = Promise.withResolvers<ServiceError>();
    const authenticate = createBearerAuthenticator(
      createAccessTokenVerifier({ issuer: issuer.url, audience: AUDIENCE, namespaceClaim: 'sub', now: () => now }),
    );
    const server = createServer((req, res) => {
      resolve(refusalOf(authenticate(req)));
      res.setHeader('Connection', 'close').end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.resume().write(`GET / HTTP/1.1\r\nHost: a\r\n${header}\r\n${header}\r\n\r\n`);

    const error = await refused;
    await new Promise((closed) => server.close(closed));

    expect([error.status, error.code]).toEqual([401, 'unauthorized']);
    expect(challengeOf(error)).toBe('Bearer error="invalid_request", error_description="There is more than one Authorization header."');
  });
});

describe('a forged or unusable token is 401 invalid_token', () => {
  const unsigned = async () => `${encode({ alg: 'none' })}.${(await aToken()).split('.')[1]}.`;

  /** The classic: the public key, as everybody can read it, taken for the secret of an HMAC. */
  const confused = async () => {
    const spki = await exportSPKI(first.publicKey);
    const input = `${encode({ alg: 'HS256', kid: 'first' })}.${(await aToken()).split('.')[1]}`;
    return `${input}.${createHmac('sha256', createPublicKey(spki).export({ type: 'spki', format: 'pem' }))
      .update(input)
      .digest('base64url')}`;
  };

  const tampered = async () => {
    const [header, , signature] = (await aToken()).split('.');
    return [header, encode({ iss: issuer.url, aud: AUDIENCE, sub: 'eve', exp: seconds(600) }), signature].join('.');
  };

  const stranger = async () => aToken({}, { ...(await aKey('first')), kid: 'first' });

  const critical = async () =>
    new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'ann', exp: seconds(600) })
      .setProtectedHeader({ alg: 'ES256', kid: 'first', crit: ['zip2'], zip2: 1 })
      .sign(first.privateKey, { crit: { zip2: true } });

  const MALFORMED = 'The access token is malformed: expected a signed JWT.';

  test.each<[string, () => Promise<string>, string]>([
    ['alg none', unsigned, 'The access token is signed with an algorithm that is not allowed.'],
    ['HS256 with the public key', confused, 'The access token is signed with an algorithm that is not allowed.'],
    ['changed after it was signed', tampered, 'The signature of the access token is wrong.'],
    ['signed by somebody else under the same kid', stranger, 'The signature of the access token is wrong.'],
    ['of another issuer', () => aToken({ iss: 'https://evil.example' }), 'The access token is from another issuer.'],
    ['of no issuer', () => aToken({ iss: undefined as never }), 'The access token is from another issuer.'],
    ['for another audience', () => aToken({ aud: 'https://other.example' }), 'The access token is meant for another audience.'],
    ['for no audience', () => aToken({ aud: undefined as never }), 'The access token is meant for another audience.'],
    ['expired', () => aToken({ exp: seconds(-6) }), 'The access token has expired.'],
    ['without an expiry', () => aToken({ exp: undefined as never }), 'The access token has no usable expiry (claim exp).'],
    ['not valid yet', () => aToken({ nbf: seconds(6) }), 'The access token is not valid yet.'],
    ['of an unknown key', () => aToken({}, second), 'The access token is signed with a key that its issuer does not have.'],
    ['without a subject', () => aToken({ sub: undefined as never }), 'The access token has no subject (claim sub).'],
    ['with an empty subject', () => aToken({ sub: '' }), 'The access token has no subject (claim sub).'],
    ['with a subject that cannot be stored', () => aToken({ sub: 'a\0b' }), 'The access token has no subject (claim sub).'],
    ['that is no JWT', async () => 'abc', MALFORMED],
    ['of three parts that mean nothing', async () => 'a.b.c', MALFORMED],
    ['that is empty', async () => '', MALFORMED],
    ['of two words', async () => `${await aToken()} x`, MALFORMED],
    ['with critical parameters that nobody knows', critical, MALFORMED],
  ])('%s', async (_name, forge, message) => {
    const error = await refusalOf(anAuthenticator()(`Bearer ${await forge()}`));

    expect([error.status, error.code, error.message]).toEqual([401, 'unauthorized', message]);
    expect(challengeOf(error)).toBe(`Bearer error="invalid_token", error_description="${message}"`);
  });

  test('the same token is good where its kid is known, so each rule above is seen to refuse', async () => {
    issuer.keys = [first, second];

    expect(await anAuthenticator()(`Bearer ${await aToken({}, second)}`)).toMatchObject({ subject: 'ann' });
  });
});

describe('a good token that does not suffice is 403', () => {
  test.each([[undefined], [''], [7], [['acme']]])('with a namespace claim of %p', async (org) => {
    const error = await refusalOf(anAuthenticator({ namespaceClaim: 'org' })(`Bearer ${await aToken({ org })}`));

    expect([error.status, error.code]).toEqual([403, 'forbidden']);
    expect(error.message).toContain('"org"');
  });

  test('the namespace is the claim that the operator named', async () => {
    const principal = await anAuthenticator({ namespaceClaim: 'https://example.com/org' })(
      `Bearer ${await aToken({ 'https://example.com/org': 'acme' })}`,
    );

    expect(principal).toMatchObject({ subject: 'ann', namespace: 'acme' });
  });

  test('without the required scope, as RFC 6750 has it', async () => {
    const error = await refusalOf(anAuthenticator({ requiredScope: 'query' })(`Bearer ${await aToken({ scope: 'querying other' })}`));

    expect([error.status, error.code]).toEqual([403, 'forbidden']);
    expect(challengeOf(error)).toBe(
      'Bearer error="insufficient_scope", error_description="The access token lacks the scope query.", scope="query"',
    );
  });

  test('with the required scope it is good', async () => {
    expect(await anAuthenticator({ requiredScope: 'query' })(`Bearer ${await aToken({ scope: 'other query' })}`)).toMatchObject({
      subject: 'ann',
    });
  });
});

describe('keys', () => {
  test('are fetched once for many tokens, also when these come at once', async () => {
    const authenticate = anAuthenticator();
    const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((sub) => aToken({ sub })));

    await Promise.all(tokens.map((token) => authenticate(`Bearer ${token}`)));

    expect(issuer.fetches).toBe(1);
  });

  test('an unknown kid makes one fetch per cool-down, and a new key is found by it', async () => {
    const authenticate = anAuthenticator({ cooldownMs: 30_000 });
    await authenticate(`Bearer ${await aToken()}`);
    const rotated = `Bearer ${await aToken({}, second)}`;

    await refusalOf(authenticate(rotated));
    expect(issuer.fetches).toBe(1);

    now = new Date(now.getTime() + 30_001);
    await Promise.all([refusalOf(authenticate(rotated)), refusalOf(authenticate(rotated))]);
    await refusalOf(authenticate(rotated));
    expect(issuer.fetches).toBe(2);

    issuer.keys = [first, second];
    now = new Date(now.getTime() + 30_001);
    expect(await authenticate(rotated)).toMatchObject({ subject: 'ann' });
    expect(issuer.fetches).toBe(3);
  });

  test('an outage does not stop keys that were seen, however long it lasts', async () => {
    const authenticate = anAuthenticator();
    await authenticate(`Bearer ${await aToken()}`);
    issuer.isDown = true;
    now = new Date(now.getTime() + 24 * 3_600_000);

    expect(await authenticate(`Bearer ${await aToken({ sub: 'bob' })}`)).toMatchObject({ subject: 'bob' });
    const error = await refusalOf(authenticate(`Bearer ${await aToken({}, second)}`));
    expect(error.status).toBe(401);
  });

  test('a failed fetch counts for the cool-down too', async () => {
    const authenticate = anAuthenticator({ jwksUrl: new URL(`${issuer.url}/jwks`) });
    await authenticate(`Bearer ${await aToken()}`);
    issuer.isDown = true;
    now = new Date(now.getTime() + 30_001);
    const unknown = `Bearer ${await aToken({}, second)}`;
    await refusalOf(authenticate(unknown));
    issuer.isDown = false;

    await refusalOf(authenticate(unknown));

    expect(issuer.fetches).toBe(1);
  });

  test('a withdrawn key goes once the keys are stale', async () => {
    const authenticate = anAuthenticator({ staleAfterMs: 60_000 });
    await authenticate(`Bearer ${await aToken()}`);
    issuer.keys = [second];
    now = new Date(now.getTime() + 60_001);

    // Nobody waits for the fetch, so the old key is good until it is done.
    let attempts = 0;
    const tryAgain = async () => authenticate(`Bearer ${await aToken({ sub: `caller ${(attempts += 1)}` })}`);
    expect(await tryAgain()).toMatchObject({ subject: 'caller 1' });
    while (
      await tryAgain().then(
        () => true,
        () => false,
      )
    )
      await setImmediate();
    expect((await refusalOf(tryAgain())).message).toBe('The access token is signed with a key that its issuer does not have.');
    expect(issuer.fetches).toBe(2);
  });

  test('without any key it is 503 with Retry-After, and good again soon after the outage', async () => {
    issuer.isDown = true;
    const authenticate = anAuthenticator();
    const header = `Bearer ${await aToken()}`;

    const error = await refusalOf(authenticate(header));

    expect([error.status, error.code, error.headers['Retry-After']]).toEqual([503, 'service_unavailable', '5']);
    expect(error.message).not.toContain(issuer.url);
    issuer.isDown = false;
    now = new Date(now.getTime() + 1000);
    expect(await authenticate(header)).toMatchObject({ subject: 'ann' });
  });

  test('a discovery document that speaks of another issuer is not believed', async () => {
    issuer.claimedIssuer = 'https://evil.example';

    expect((await refusalOf(anAuthenticator()(`Bearer ${await aToken()}`))).status).toBe(503);
  });
});

describe('verified tokens', () => {
  test('are remembered until they expire, and not longer', async () => {
    const authenticate = anAuthenticator();
    const header = `Bearer ${await aToken({ exp: seconds(60) })}`;
    const principal = await authenticate(header);

    now = new Date(now.getTime() + 64_000);
    expect(await authenticate(header)).toBe(principal);
    now = new Date(now.getTime() + 1000);
    expect((await refusalOf(authenticate(header))).message).toBe('The access token has expired.');
  });

  test('are forgotten when there are too many', async () => {
    const authenticate = anAuthenticator({ cacheSize: 2 });
    const headers = await Promise.all(['a', 'b', 'c'].map(async (sub) => `Bearer ${await aToken({ sub })}`));
    const [principal] = [
      await authenticate(String(headers[0])),
      await authenticate(String(headers[1])),
      await authenticate(String(headers[2])),
    ];

    const again = await authenticate(String(headers[0]));

    expect(again).toEqual(principal);
    expect(again).not.toBe(principal);
  });
});

test.each(['issuer', 'audience', 'namespaceClaim'] as const)('without %s there is no verifier', (name) => {
  const options = { issuer: issuer.url, audience: AUDIENCE, namespaceClaim: 'sub' };

  expect(() => createAccessTokenVerifier({ ...options, [name]: ' ' })).toThrow(`No ${name} is configured for access tokens.`);
});
