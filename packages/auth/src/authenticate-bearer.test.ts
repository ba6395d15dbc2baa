import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import type { ServiceError } from '@svc/errors';

import { createAccessTokenVerifier } from './access-token-verifier.ts';
import { createBearerAuthenticator } from './authenticate-bearer.ts';
import { AUDIENCE, aKey, challengeOf, refusalOf, startIssuer, type Issuer } from './testing/issuer.ts';

let issuer: Issuer;

beforeEach(async () => {
  issuer = await startIssuer();
});

afterEach(() => issuer.stop());

describe('a good token', () => {
  test('tells who calls', async () => {
    const authenticate = issuer.anAuthenticator();

    const principal = await authenticate(`Bearer ${await issuer.aToken({ scope: 'read write' })}`);

    expect(principal).toMatchObject({ subject: 'ann', namespace: 'ann', scopes: ['read', 'write'], kind: 'token' });
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('may come with the scheme written %p', async (scheme) => {
    expect(await issuer.anAuthenticator()(`${scheme} ${await issuer.aToken()}`)).toMatchObject({ subject: 'ann' });
  });

  test('may name several audiences, and none of the types of RFC 9068', async () => {
    const token = await issuer.aToken({ aud: ['https://other.example', AUDIENCE] }, issuer.first, { typ: 'JWT' });

    expect(await issuer.anAuthenticator()(`Bearer ${token}`)).toMatchObject({ subject: 'ann' });
  });

  test('may name no key, even where the issuer has several that could have signed it', async () => {
    const third = await aKey('third');
    issuer.keys = [third, issuer.first, issuer.second];

    expect(await issuer.anAuthenticator()(`Bearer ${await issuer.aToken({}, issuer.first, { kid: undefined })}`)).toMatchObject({
      subject: 'ann',
    });
  });

  test.each([
    ['exp', { exp: -4 }],
    ['nbf', { nbf: 4 }],
  ] as const)('may be off by less than five seconds in %s', async (_claim, offsets) => {
    const claims = Object.fromEntries(Object.entries(offsets).map(([claim, offset]) => [claim, issuer.seconds(offset)]));

    expect(await issuer.anAuthenticator()(`Bearer ${await issuer.aToken(claims)}`)).toMatchObject({ subject: 'ann' });
  });

  test('is found by RFC 8414 discovery, or by the URL of the keys', async () => {
    issuer.isOidc = false;
    expect(await issuer.anAuthenticator()(`Bearer ${await issuer.aToken()}`)).toMatchObject({ subject: 'ann' });
    expect(await issuer.anAuthenticator({ jwksUrl: new URL(`${issuer.url}/jwks`) })(`Bearer ${await issuer.aToken()}`)).toMatchObject({
      subject: 'ann',
    });
  });
});

describe('no token', () => {
  test.each([[undefined], [''], ['Basic YTpi'], ['Bearertoken']])('%p is 401 without an error code', async (authorization) => {
    const error = await refusalOf(issuer.anAuthenticator()(authorization));

    expect([error.status, error.code, challengeOf(error)]).toEqual([401, 'unauthorized', 'Bearer']);
  });

  test('a token in the URL is not looked at', async () => {
    const error = await refusalOf(issuer.anAuthenticator()(undefined, `/query?access_token=${await issuer.aToken()}`));

    expect([error.status, challengeOf(error)]).toEqual([401, 'Bearer']);
  });

  test('two Authorization headers are refused, though each is good', async () => {
    const header = `Authorization: Bearer ${await issuer.aToken()}`;
    const { promise: refused, resolve } = Promise.withResolvers<ServiceError>();
    const authenticate = createBearerAuthenticator(
      createAccessTokenVerifier({ issuer: issuer.url, audience: AUDIENCE, namespaceClaim: 'sub', now: () => issuer.now }),
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

describe('a good token that does not suffice is 403', () => {
  test.each([[undefined], [''], [7], [['acme']]])('with a namespace claim of %p', async (org) => {
    const error = await refusalOf(issuer.anAuthenticator({ namespaceClaim: 'org' })(`Bearer ${await issuer.aToken({ org })}`));

    expect([error.status, error.code]).toEqual([403, 'forbidden']);
    expect(error.message).toContain('"org"');
  });

  test('the namespace is the claim that the operator named', async () => {
    const principal = await issuer.anAuthenticator({ namespaceClaim: 'https://example.com/org' })(
      `Bearer ${await issuer.aToken({ 'https://example.com/org': 'acme' })}`,
    );

    expect(principal).toMatchObject({ subject: 'ann', namespace: 'acme' });
  });

  test('without the required scope, as RFC 6750 has it', async () => {
    const error = await refusalOf(
      issuer.anAuthenticator({ requiredScope: 'query' })(`Bearer ${await issuer.aToken({ scope: 'querying other' })}`),
    );

    expect([error.status, error.code]).toEqual([403, 'forbidden']);
    expect(challengeOf(error)).toBe(
      'Bearer error="insufficient_scope", error_description="The access token lacks the scope query.", scope="query"',
    );
  });

  test('with the required scope it is good', async () => {
    expect(
      await issuer.anAuthenticator({ requiredScope: 'query' })(`Bearer ${await issuer.aToken({ scope: 'other query' })}`),
    ).toMatchObject({
      subject: 'ann',
    });
  });
});
