import { createAccessTokenVerifier } from './access-token-verifier.ts';
import { AUDIENCE, refusalOf, startIssuer, type Issuer } from './testing/issuer.ts';

let issuer: Issuer;

beforeEach(async () => {
  issuer = await startIssuer();
});

afterEach(() => issuer.stop());

describe('verified tokens', () => {
  test('are remembered until they expire, and not longer', async () => {
    const authenticate = issuer.anAuthenticator();
    const header = `Bearer ${await issuer.aToken({ exp: issuer.seconds(60) })}`;
    const principal = await authenticate(header);

    issuer.pass(64_000);
    expect(await authenticate(header)).toBe(principal);
    issuer.pass(1000);
    expect((await refusalOf(authenticate(header))).message).toBe('The access token has expired.');
  });

  test('are forgotten when there are too many', async () => {
    const authenticate = issuer.anAuthenticator({ cacheSize: 2 });
    const headers = await Promise.all(['a', 'b', 'c'].map(async (sub) => `Bearer ${await issuer.aToken({ sub })}`));
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
