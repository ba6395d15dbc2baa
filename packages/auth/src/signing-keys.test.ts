import { setImmediate } from 'node:timers/promises';

import { refusalOf, startIssuer, type Issuer } from './testing/issuer.ts';

let issuer: Issuer;

beforeEach(async () => {
  issuer = await startIssuer();
});

afterEach(() => issuer.stop());

describe('keys', () => {
  test('are fetched once for many tokens, also when these come at once', async () => {
    const authenticate = issuer.anAuthenticator();
    const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((sub) => issuer.aToken({ sub })));

    await Promise.all(tokens.map((token) => authenticate(`Bearer ${token}`)));

    expect(issuer.fetches).toBe(1);
  });

  test('an unknown kid makes one fetch per cool-down, and a new key is found by it', async () => {
    const authenticate = issuer.anAuthenticator({ cooldownMs: 30_000 });
    await authenticate(`Bearer ${await issuer.aToken()}`);
    const rotated = `Bearer ${await issuer.aToken({}, issuer.second)}`;

    await refusalOf(authenticate(rotated));
    expect(issuer.fetches).toBe(1);

    issuer.pass(30_001);
    await Promise.all([refusalOf(authenticate(rotated)), refusalOf(authenticate(rotated))]);
    await refusalOf(authenticate(rotated));
    expect(issuer.fetches).toBe(2);

    issuer.keys = [issuer.first, issuer.second];
    issuer.pass(30_001);
    expect(await authenticate(rotated)).toMatchObject({ subject: 'ann' });
    expect(issuer.fetches).toBe(3);
  });

  test('an outage does not stop keys that were seen, however long it lasts', async () => {
    const authenticate = issuer.anAuthenticator();
    await authenticate(`Bearer ${await issuer.aToken()}`);
    issuer.isDown = true;
    issuer.pass(24 * 3_600_000);

    expect(await authenticate(`Bearer ${await issuer.aToken({ sub: 'bob' })}`)).toMatchObject({ subject: 'bob' });
    const error = await refusalOf(authenticate(`Bearer ${await issuer.aToken({}, issuer.second)}`));
    expect(error.status).toBe(401);
  });

  test('a failed fetch counts for the cool-down too', async () => {
    const authenticate = issuer.anAuthenticator({ jwksUrl: new URL(`${issuer.url}/jwks`) });
    await authenticate(`Bearer ${await issuer.aToken()}`);
    issuer.isDown = true;
    issuer.pass(30_001);
    const unknown = `Bearer ${await issuer.aToken({}, issuer.second)}`;
    await refusalOf(authenticate(unknown));
    issuer.isDown = false;

    await refusalOf(authenticate(unknown));

    expect(issuer.fetches).toBe(1);
  });

  test('a withdrawn key goes once the keys are stale', async () => {
    const authenticate = issuer.anAuthenticator({ staleAfterMs: 60_000 });
    await authenticate(`Bearer ${await issuer.aToken()}`);
    issuer.keys = [issuer.second];
    issuer.pass(60_001);

    // The fetch runs in the background, so the old key is accepted until it completes.
    let attempts = 0;
    const tryAgain = async () => authenticate(`Bearer ${await issuer.aToken({ sub: `caller ${(attempts += 1)}` })}`);
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
    const authenticate = issuer.anAuthenticator();
    const header = `Bearer ${await issuer.aToken()}`;

    const error = await refusalOf(authenticate(header));

    expect([error.status, error.code, error.headers['Retry-After']]).toEqual([503, 'service_unavailable', '5']);
    expect(error.message).not.toContain(issuer.url);
    issuer.isDown = false;
    issuer.pass(1000);
    expect(await authenticate(header)).toMatchObject({ subject: 'ann' });
  });

  test('a discovery document that speaks of another issuer is not believed', async () => {
    issuer.claimedIssuer = 'https://evil.example';

    expect((await refusalOf(issuer.anAuthenticator()(`Bearer ${await issuer.aToken()}`))).status).toBe(503);
  });
});
