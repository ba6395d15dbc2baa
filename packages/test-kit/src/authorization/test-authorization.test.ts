import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';

import { testAuthorization, type TestAuthorization } from './test-authorization.ts';

let authorization: TestAuthorization;

beforeAll(async () => {
  authorization = await testAuthorization();
});

async function discover(): Promise<{ readonly token_endpoint: string; readonly jwks_uri: string }> {
  const response = await fetch(`${authorization.issuer}/.well-known/openid-configuration`);
  // The document's form is fixed by OpenID Connect Discovery.
  return (await response.json()) as { readonly token_endpoint: string; readonly jwks_uri: string };
}

async function requestToken(
  parameters: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: Record<string, string> }> {
  const { id, secret } = authorization.client;
  const response = await fetch((await discover()).token_endpoint, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function verify(token: string): Promise<Awaited<ReturnType<typeof jwtVerify>>> {
  const { issuer, audience } = authorization;
  return jwtVerify(token, createRemoteJWKSet(new URL((await discover()).jwks_uri)), { issuer, audience });
}

test('a client gets a JWT for the default resource, with the scopes it asked for', async () => {
  const { body } = await requestToken({ scope: 'read write' });
  const { payload, protectedHeader } = await verify(body['access_token'] ?? '');
  expect(payload).toMatchObject({ sub: 'test', aud: authorization.audience, scope: 'read write', iss: authorization.issuer });
  expect(protectedHeader.typ).toBe('at+jwt');
});

test('a client that names another resource is refused', async () => {
  const { status, body } = await requestToken({ resource: 'urn:svc:other' });
  expect([status, body['error']]).toEqual([400, 'invalid_target']);
});

test('a client with a wrong secret is refused', async () => {
  const response = await fetch((await discover()).token_endpoint, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${authorization.client.id}:wrong`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(response.status).toBe(401);
});

test('the key set shows no private key', async () => {
  const text = await (await fetch((await discover()).jwks_uri)).text();
  expect(JSON.parse(text)).toMatchObject({ keys: [{ kid: 'test-1', kty: 'RSA' }] });
  expect(Object.keys((JSON.parse(text) as { keys: [object] }).keys[0]).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('a minted token is as good as one of the server, for any subject and claim', async () => {
  const { payload } = await verify(await authorization.mint({ sub: 'bob', scope: 'read', claims: { org: 'acme' } }));
  expect(payload).toMatchObject({ sub: 'bob', scope: 'read', org: 'acme' });
});

test('a minted token may have expired, and lack what it should have', async () => {
  const token = await authorization.mint({ expiresInSeconds: -60, claims: { sub: undefined } });
  expect(decodeJwt(token)).not.toHaveProperty('sub');
  await expect(verify(token)).rejects.toThrow('"exp" claim timestamp check failed');
});
