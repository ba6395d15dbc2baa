import { createNetworkGuard } from '@svc/network-guard';
import { type HttpServer, openHttpServer, sendFile, testAuthorization } from '@svc/test-kit';

import type { Caller } from './caller.ts';
import { testCredentials, type TestCredentials } from './testing/credentials.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const guard = createNetworkGuard({ allow: ['127.0.0.0/8'] });
const ann: Caller = { subject: 'ann', namespace: 'shared', scopes: [] };
const bob: Caller = { subject: 'bob', namespace: 'shared', scopes: [] };
/** Must not occur in any message. */
const CANARY = 'c4n4ry-s3cret';

let api: HttpServer;
let other: HttpServer;
let credentials: TestCredentials;
let at: ReadingRuntime;
beforeEach(async () => {
  api = await openHttpServer();
  other = await openHttpServer();
  credentials = testCredentials();
  at = await openReadingRuntime({ reach: { networkGuard: guard, credentials, httpLimits: { retryWaitMs: 1 } } });
});
afterEach(async () => {
  await at.close();
  await api.close();
  await other.close();
});

/** Returns the result for a caller, or the error; checks that neither contains a secret. */
async function run(text: string, caller: Caller = ann): Promise<readonly string[]> {
  const lines = await at.run(text, {}, { caller });
  expect(lines.join('\n')).not.toContain(CANARY);
  return lines;
}

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('basic authentication', () => {
  beforeEach(() => {
    api.answer(({ headers }, response) => {
      if (headers.authorization === basic('ann', CANARY)) response.end('[{"n": 1}]');
      else if (headers.authorization === basic('bob', CANARY)) response.end('[{"m": "b"}]');
      else response.writeHead(401).end(CANARY);
    });
  });

  test('is that of the longest prefix', async () => {
    credentials.register('ann', `${api.origin}/`, { type: 'basic-auth', user: 'ann', password: 'wrong' });
    credentials.register('ann', `${api.origin}/data`, { type: 'basic-auth', user: 'ann', password: CANARY });
    expect(await run(`READ_JSON("${api.origin}/data/x")`)).toEqual(['{"n":1}']);
    expect(await run(`READ_JSON("${api.origin}/else")`)).toEqual([
      `! authentication failed: ${api.origin}/else: the credentials registered for ${api.origin}/ were not accepted at READ_JSON("${api.origin}/else")`,
    ]);
    expect(credentials.uses.map(({ name, error }) => [name, error])).toEqual([
      [`${api.origin}/data`, null],
      [`${api.origin}/`, `authentication failed: ${api.origin}/else: the credentials registered for ${api.origin}/ were not accepted`],
    ]);
  });

  test('is asked for where there is none', async () => {
    const query = `READ_JSON("${api.origin}/data/x?token=${CANARY}")`;
    const [message = ''] = await at.run(query, {}, { caller: ann });
    expect(message.replace(query, '…')).toBe(
      `! authentication failed: ${api.origin}/data/x: did you register credentials for ${api.origin}? at …`,
    );
  });

  test('of one caller is never used for another, nor what was found out with it', async () => {
    credentials.register('ann', api.origin, { type: 'basic-auth', user: 'ann', password: CANARY });
    const query = `READ_JSON("${api.origin}/mine", cache := interval "1 hour")`;
    expect(await run(query)).toEqual(['{"n":1}']);
    expect(await run(query, bob)).toEqual([expect.stringContaining('did you register credentials')]);
    credentials.register('bob', api.origin, { type: 'basic-auth', user: 'bob', password: CANARY });
    expect(await run(query, bob)).toEqual(['{"m":"b"}']);
    const asked = api.requests.length;
    // Each caller finds its own compiled query and fetched copy.
    expect([await run(query), await run(query, bob)]).toEqual([['{"n":1}'], ['{"m":"b"}']]);
    expect(api.requests).toHaveLength(asked);
    credentials.register('ann', api.origin, { type: 'basic-auth', user: 'ann', password: 'changed' });
    expect(await run(query)).toEqual([expect.stringContaining('were not accepted')]);
  });

  test('does not stand in the way of a header that the query sets', async () => {
    credentials.register('ann', api.origin, { type: 'basic-auth', user: 'ann', password: 'wrong' });
    const authorization = basic('bob', CANARY);
    const text = `READ_JSON("${api.origin}/x", http_headers := [(name: "Authorization", value: "${authorization}")])`;
    expect(await run(text)).toEqual(['{"m":"b"}']);
  });
});

describe('redirects', () => {
  beforeEach(() => {
    credentials.register('ann', api.origin, { type: 'basic-auth', user: 'ann', password: CANARY });
    other.answer((_, response) => response.end('[2]'));
  });

  test('are followed with the credential within the origin, and without anything of it to another', async () => {
    api.answer(({ url }, response) => {
      if (url === '/a') response.writeHead(302, { location: '/b' }).end();
      else if (url === '/b') response.writeHead(307, { location: `${other.origin}/c` }).end();
    });
    const headers = `http_headers := [(name: "X-Key", value: "${CANARY}"), (name: "Cookie", value: "${CANARY}")]`;
    expect(await at.run(`READ_JSON("${api.origin}/a", ${headers})`, {}, { caller: ann })).toEqual(['2']);
    expect(api.requests.map(({ headers: { authorization } }) => authorization)).toEqual([basic('ann', CANARY), basic('ann', CANARY)]);
    expect(JSON.stringify(other.requests[0]?.headers)).not.toMatch(/authorization|x-key|cookie/i);
  });

  test('have an end', async () => {
    let n = 0;
    api.answer((_, response) => response.writeHead(302, { location: `/${(n += 1)}` }).end());
    expect(await run(`READ_JSON("${api.origin}/0")`)).toEqual([
      expect.stringMatching(/\/0: it redirects too often, or to nowhere \(status 302\)/),
    ]);
    expect(n).toBeLessThan(10);
  });

  test('lead nowhere but to where HTTP leads', async () => {
    for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://[::', 'javascript:1']) {
      api.answer((_, response) => response.writeHead(302, { location }).end());
      expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual([expect.stringMatching(/redirects/)]);
    }
  });

  test('do not take a body along', async () => {
    api.answer((_, response) => response.writeHead(307, { location: other.origin }).end());
    expect(await at.run(`READ_JSON("${api.origin}/x", http_body := "${CANARY}")`, {}, { caller: ann })).toEqual([
      expect.stringMatching(/\/x: it redirects too often, or to nowhere \(status 307\)/),
    ]);
    expect(other.requests).toEqual([]);
  });
});

describe('OAuth', () => {
  const bearer = (headers: { readonly authorization?: string | undefined }): string =>
    /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '';

  test.each([true, false])('a client gets its token from a real authorization server, useBasicAuth %s', async (useBasicAuth) => {
    const { issuer, client } = await testAuthorization();
    const found = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as { readonly token_endpoint: string };
    const secret = { type: 'oauth-client', clientId: client.id, clientSecret: client.secret, tokenUrl: found.token_endpoint } as const;
    credentials.register('ann', api.origin, { ...secret, useBasicAuth });
    api.answer(({ headers }, response) => {
      const [, payload = ''] = bearer(headers).split('.');
      const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as { readonly iss?: string };
      response.writeHead(iss === issuer ? 200 : 401).end('["in"]');
    });
    expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual(['"in"']);
    expect(await run(`READ_JSON("${api.origin}/y")`)).toEqual(['"in"']);
    const [first, second] = api.requests.map(({ headers }) => headers.authorization);
    expect(second).toBe(first);
    credentials.register('ann', api.origin, { ...secret, clientSecret: `${CANARY}-wrong`, useBasicAuth });
    expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual([
      expect.stringMatching(/^! authentication failed: no token could be had with the credentials registered for .*: the token endpoint/),
    ]);
  });

  /** A token endpoint whose refresh tokens are valid once. */
  function rotating(): { readonly answers: { refresh: string; access: string }; readonly asked: string[] } {
    const answers = { refresh: 'r1', access: 'a1' };
    const asked: string[] = [];
    other.answer(({ method, headers, body }, response) => {
      const said = new URLSearchParams(body);
      asked.push(said.get('refresh_token') ?? '');
      const isRight =
        method === 'POST' &&
        headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true &&
        said.get('grant_type') === 'refresh_token' &&
        said.get('refresh_token') === answers.refresh;
      if (!isRight) {
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error": "invalid_grant"}');
        return;
      }
      answers.refresh = `r${asked.length + 1}`;
      answers.access = `a${asked.length + 1}`;
      setTimeout(() => {
        const token = { access_token: answers.access, token_type: 'bearer', expires_in: 3600, refresh_token: answers.refresh };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
      }, 50);
    });
    api.answer(({ headers }, response) => response.writeHead(bearer(headers) === answers.access ? 200 : 401).end('["in"]'));
    return { answers, asked };
  }

  test('a token that is refused is refreshed once for all queries, and what follows it is stored', async () => {
    const { answers, asked } = rotating();
    const register = (token: string, refreshToken: string | null): void =>
      credentials.register('ann', api.origin, { type: 'oauth-token', token, refreshToken, tokenUrl: `${other.origin}/token` });
    register('old', 'r1');
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => run(`READ_JSON("${api.origin}/${i}")`, { ...ann, subject: 'ann' })));
    expect(all).toEqual(Array.from({ length: 8 }, () => ['"in"']));
    expect(asked).toEqual(['r1']);
    expect(credentials.saved).toMatchObject([{ subject: 'ann', prefixUrl: api.origin, token: 'a2', refreshToken: 'r2' }]);
    // The server revokes the token early.
    answers.access = 'another';
    expect(await run(`READ_JSON("${api.origin}/later")`)).toEqual(['"in"']);
    expect(asked).toEqual(['r1', 'r2']);
    answers.refresh = 'gone';
    answers.access = 'gone';
    expect(await run(`READ_JSON("${api.origin}/last")`)).toEqual([
      expect.stringMatching(
        /no token could be had with the credentials registered for .*: the token endpoint answered "invalid_grant": authorize again, and register the new token/,
      ),
    ]);
    register('old', null);
    expect(await run(`READ_JSON("${api.origin}/none")`)).toEqual([
      expect.stringContaining('was not accepted, and there is no refresh token with a tokenUrl'),
    ]);
  });

  test('a token that another process has replaced is forgotten, so that the new one can be refreshed too', async () => {
    const { answers, asked } = rotating();
    const tokenUrl = `${other.origin}/token`;
    credentials.register('ann', api.origin, { type: 'oauth-token', token: 'old', refreshToken: 'r1', tokenUrl });
    const elsewhere = await openReadingRuntime({ reach: { networkGuard: guard, credentials, httpLimits: { retryWaitMs: 1 } } });
    expect(await run(`READ_JSON("${api.origin}/1")`)).toEqual(['"in"']);
    answers.access = 'expired';
    expect(await elsewhere.run(`READ_JSON("${api.origin}/2")`, {}, { caller: ann })).toEqual(['"in"']);
    answers.access = 'expired again';
    expect(await run(`READ_JSON("${api.origin}/3")`)).toEqual(['"in"']);
    expect(asked).toEqual(['r1', 'r2', 'r3']);
    await elsewhere.close();
  });

  test('a token that is about to expire is not used', async () => {
    let given = 0;
    other.answer((_, response) => {
      const token = { access_token: `a${(given += 1)}`, token_type: 'bearer', expires_in: given === 1 ? 20 : 3600 };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
    });
    api.answer(({ headers }, response) => response.end(JSON.stringify([bearer(headers)])));
    credentials.register('ann', api.origin, {
      ...{ type: 'oauth-client', clientId: 'c', clientSecret: CANARY, tokenUrl: other.origin, useBasicAuth: null },
    });
    const all = [
      await run(`READ_JSON("${api.origin}/1")`),
      await run(`READ_JSON("${api.origin}/2")`),
      await run(`READ_JSON("${api.origin}/3")`),
    ];
    expect(all).toEqual([['"a1"'], ['"a2"'], ['"a2"']]);
  });

  const client = (tokenUrl: string) =>
    ({ type: 'oauth-client', clientId: 'my-client.1', clientSecret: `${CANARY}%+`, tokenUrl, useBasicAuth: true }) as const;

  test.each([
    { access_token: 'a' },
    { access_token: 'a', token_type: 'BearerToken', expires_in: '1799', scope: '', refresh_token: '' },
    { access_token: 'a', token_type: 'Bearer', expires_in: null, scope: null, id_token: null },
  ])('a token endpoint that answers %j gives a token', async (members) => {
    other.answer((_, response) => response.writeHead(201).end(JSON.stringify(members)));
    api.answer(({ headers }, response) => response.writeHead(bearer(headers) === 'a' ? 200 : 401).end('["in"]'));
    credentials.register('ann', api.origin, client(other.origin));
    expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual(['"in"']);
    // Servers that do not decode id and secret know the id.
    expect(other.requests[0]?.headers.authorization).toBe(basic('my-client.1', `${CANARY}%25%2B`));
  });

  test.each([
    ['answered "invalid_client": are clientId, clientSecret and useBasicAuth right?', 401, '{"error": "invalid_client"}'],
    ['answered with status 401 Unauthorized: are clientId, clientSecret and useBasicAuth right?', 401, '<html>'],
    ['answered "invalid_scope"', 400, '{"error": "invalid_scope"}'],
    ['answered with status 404 Not Found', 404, ''],
    ['answered with status 302 Found', 302, ''],
    ['answered with status 500 Internal Server Error', 500, '{"error": {"code": 7}}'],
    ['answered "bad_verification_code"', 200, '{"error": "bad_verification_code"}'],
    ['answered without an access token', 200, '<html>'],
    ['gave a token of the type "mac", where bearer is expected', 200, '{"access_token": "a", "token_type": "mac"}'],
    ['gave a token that no header can hold', 200, '{"access_token": "a\\nb"}'],
    ['answered more than 1048576 bytes', 200, ' '.repeat(2 ** 20 + 1)],
  ])('the message says that a token endpoint %s', async (message, status, body) => {
    other.answer((_, response) =>
      response.writeHead(status, { 'www-authenticate': `Basic realm="${CANARY}"`, location: api.origin }).end(body),
    );
    credentials.register('ann', api.origin, client(other.origin));
    const [found = ''] = await run(`READ_JSON("${api.origin}/x")`);
    expect(found.split(' at READ_JSON')[0]).toBe(
      `! authentication failed: no token could be had with the credentials registered for ${api.origin}: the token endpoint ${message}`,
    );
    expect(api.requests).toEqual([]);
  });

  test('a client asks for a token of its scope and audience', async () => {
    other.answer((_, response) => response.end('{"access_token": "a"}'));
    api.answer((_, response) => response.end('["in"]'));
    credentials.register('ann', api.origin, { ...client(other.origin), scope: 'read write', audience: 'https://api.example/' });
    expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual(['"in"']);
    expect(Object.fromEntries(new URLSearchParams(other.requests[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'https://api.example/',
    });
  });

  test('a client asks again where a token endpoint is busy for a moment, and a refresh token is sent once', async () => {
    other.answer((_, response) => {
      if (other.requests.length === 1) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.end('{"access_token": "a"}');
    });
    api.answer(({ headers }, response) => response.writeHead(bearer(headers) === 'a' ? 200 : 401).end('["in"]'));
    credentials.register('ann', api.origin, client(other.origin));
    expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual(['"in"']);
    other.answer((_, response) => response.writeHead(503, { 'retry-after': '0' }).end());
    credentials.register('ann', api.origin, { type: 'oauth-token', token: 'old', refreshToken: 'r', tokenUrl: other.origin });
    expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual([expect.stringContaining('the token endpoint answered with status 503')]);
    expect(other.requests).toHaveLength(3);
  });

  test('a token endpoint that cannot be reached is told', async () => {
    const gone = await openHttpServer();
    await gone.close();
    for (const [tokenUrl, message] of [
      [gone.origin, 'the connection was refused'],
      ['http://169.254.169.254/token', 'The address of "169.254.169.254" is not allowed'],
    ] as const) {
      credentials.register('ann', api.origin, { type: 'oauth-client', clientId: 'c', clientSecret: CANARY, tokenUrl, useBasicAuth: true });
      expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual([expect.stringContaining(message)]);
    }
  });

  test('a token endpoint that redirects is not followed', async () => {
    other.answer((_, response) => response.writeHead(307, { location: `${api.origin}/steal` }).end());
    credentials.register('ann', api.origin, {
      ...{ type: 'oauth-client', clientId: 'c', clientSecret: CANARY, tokenUrl: other.origin, useBasicAuth: true },
    });
    expect(await run(`READ_JSON("${api.origin}/x")`)).toEqual([expect.stringContaining('no token could be had')]);
    expect(api.requests).toEqual([]);
  });
});

test('the state of a large file is that of its credential', async () => {
  const content = Buffer.concat([Buffer.from('n\n'), Buffer.alloc(2 ** 21, '1\n')]);
  api.answer((request, response) => {
    if (request.headers.authorization === basic('ann', CANARY)) sendFile(request, response, content);
    else response.writeHead(401).end();
  });
  credentials.register('ann', api.origin, { type: 'basic-auth', user: 'ann', password: CANARY });
  const query = `SELECT COUNT(*) FROM READ("${api.origin}/large.csv")`;
  expect(await run(query)).toEqual([String(2 ** 20)]);
  expect(await run(query, bob)).toEqual([expect.stringContaining('did you register credentials')]);
});
