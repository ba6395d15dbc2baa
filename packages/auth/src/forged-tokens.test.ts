import { createHmac, createPublicKey } from 'node:crypto';

import { exportSPKI, SignJWT } from 'jose';

import { AUDIENCE, aKey, challengeOf, refusalOf, startIssuer, type Issuer } from './testing/issuer.ts';

let issuer: Issuer;

beforeEach(async () => {
  issuer = await startIssuer();
});

afterEach(() => issuer.stop());

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a forged or unusable token is 401 invalid_token', () => {
  const unsigned = async () => `${encode({ alg: 'none' })}.${(await issuer.aToken()).split('.')[1]}.`;

  /** Algorithm confusion: the public key used as the secret of an HMAC. */
  const confused = async () => {
    const spki = await exportSPKI(issuer.first.publicKey);
    const input = `${encode({ alg: 'HS256', kid: 'first' })}.${(await issuer.aToken()).split('.')[1]}`;
    return `${input}.${createHmac('sha256', createPublicKey(spki).export({ type: 'spki', format: 'pem' }))
      .update(input)
      .digest('base64url')}`;
  };

  const tampered = async () => {
    const [header, , signature] = (await issuer.aToken()).split('.');
    return [header, encode({ iss: issuer.url, aud: AUDIENCE, sub: 'eve', exp: issuer.seconds(600) }), signature].join('.');
  };

  const stranger = async () => issuer.aToken({}, { ...(await aKey('first')), kid: 'first' });

  const critical = async () =>
    new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'ann', exp: issuer.seconds(600) })
      .setProtectedHeader({ alg: 'ES256', kid: 'first', crit: ['zip2'], zip2: 1 })
      .sign(issuer.first.privateKey, { crit: { zip2: true } });

  const MALFORMED = 'The access token is malformed: expected a signed JWT.';

  test.each<[string, () => Promise<string>, string]>([
    ['alg none', unsigned, 'The access token is signed with an algorithm that is not allowed.'],
    ['HS256 with the public key', confused, 'The access token is signed with an algorithm that is not allowed.'],
    ['changed after it was signed', tampered, 'The signature of the access token is wrong.'],
    ['signed by somebody else under the same kid', stranger, 'The signature of the access token is wrong.'],
    ['of another issuer', () => issuer.aToken({ iss: 'https://evil.example' }), 'The access token is from another issuer.'],
    ['of no issuer', () => issuer.aToken({ iss: undefined as never }), 'The access token is from another issuer.'],
    ['for another audience', () => issuer.aToken({ aud: 'https://other.example' }), 'The access token is meant for another audience.'],
    ['for no audience', () => issuer.aToken({ aud: undefined as never }), 'The access token is meant for another audience.'],
    ['expired', () => issuer.aToken({ exp: issuer.seconds(-6) }), 'The access token has expired.'],
    ['without an expiry', () => issuer.aToken({ exp: undefined as never }), 'The access token has no usable expiry (claim exp).'],
    ['not valid yet', () => issuer.aToken({ nbf: issuer.seconds(6) }), 'The access token is not valid yet.'],
    ['of an unknown key', () => issuer.aToken({}, issuer.second), 'The access token is signed with a key that its issuer does not have.'],
    ['without a subject', () => issuer.aToken({ sub: undefined as never }), 'The access token has no subject (claim sub).'],
    ['with an empty subject', () => issuer.aToken({ sub: '' }), 'The access token has no subject (claim sub).'],
    ['with a subject that cannot be stored', () => issuer.aToken({ sub: 'a\0b' }), 'The access token has no subject (claim sub).'],
    ['that is no JWT', async () => 'abc', MALFORMED],
    ['of three parts that mean nothing', async () => 'a.b.c', MALFORMED],
    ['that is empty', async () => '', MALFORMED],
    ['of two words', async () => `${await issuer.aToken()} x`, MALFORMED],
    ['with critical parameters that nobody knows', critical, MALFORMED],
  ])('%s', async (_name, forge, message) => {
    const error = await refusalOf(issuer.anAuthenticator()(`Bearer ${await forge()}`));

    expect([error.status, error.code, error.message]).toEqual([401, 'unauthorized', message]);
    expect(challengeOf(error)).toBe(`Bearer error="invalid_token", error_description="${message}"`);
  });

  test('the same token is good where its kid is known, so each rule above is seen to refuse', async () => {
    issuer.keys = [issuer.first, issuer.second];

    expect(await issuer.anAuthenticator()(`Bearer ${await issuer.aToken({}, issuer.second)}`)).toMatchObject({ subject: 'ann' });
  });
});
