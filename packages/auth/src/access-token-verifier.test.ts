import { setImmediate } from 'node:timers/promises';

import { createAccessTokenVerifier } from './access-token-verifier.ts';
import { AUDIENCE, refusalOf, startIssuer, type Issuer } from './testing/issuer.ts';

let issuer: Issuer;

/** Returns why a token is rejected, once it is: fetched keys take effect a moment after the fetch was observed. */
async function refusalInTime(authenticate: () => Promise<unknown>): Promise<string> {
  for (let turn = 0; turn < 1000; turn += 1) {
    const refusal = await authenticate().then(() => null, String);
    if (refusal !== null) return refusal;
    await setImmediate();
  }
  return 'the token is still good';
}

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

  test('of a key that the issuer has withdrawn are refused within ten minutes, though they were verified before', async () => {
    const authenticate = issuer.anAuthenticator();
    issuer.keys = [issuer.first, issuer.second];
    const [kept, withdrawn] = await Promise.all([
      issuer.aToken({ exp: issuer.seconds(3600) }),
      issuer.aToken({ exp: issuer.seconds(3600) }, issuer.second),
    ]);
    await authenticate(`Bearer ${kept}`);
    await authenticate(`Bearer ${withdrawn}`);

    issuer.keys = [issuer.first];
    issuer.pass(600_001);
    await authenticate(`Bearer ${kept}`);
    while (issuer.fetches < 2) await setImmediate();

    expect(await refusalInTime(() => authenticate(`Bearer ${withdrawn}`))).toContain('signed with a key that its issuer does not have');
    expect(await authenticate(`Bearer ${kept}`)).toMatchObject({ subject: 'ann' });
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
