import { isIP } from 'node:net';

import { createNetworkGuard, type ResolveAll } from '@svc/network-guard';
import { type HttpServer, openHttpServer } from '@svc/test-kit';

import { testCredentials } from './testing/credentials.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let server: HttpServer;
let at: ReadingRuntime | undefined;
let port: string;
beforeEach(async () => {
  server = await openHttpServer();
  server.answer((_, response) => response.end('["inside"]'));
  port = new URL(server.origin).port;
});
afterEach(async () => {
  await at?.close();
  at = undefined;
  await server.close();
});

async function open(allow: readonly string[], resolveAll?: ResolveAll): Promise<ReadingRuntime> {
  const networkGuard = createNetworkGuard({ allow, ...(resolveAll && { resolveAll }) });
  at = await openReadingRuntime({ reach: { networkGuard, credentials: testCredentials(), httpLimits: { connectTimeoutMs: 500 } } });
  return at;
}

/** A resolver whose successive lookups, of any name, return the given results. */
function answering(...answers: readonly (readonly string[])[]): { readonly asked: string[]; readonly resolveAll: ResolveAll } {
  const asked: string[] = [];
  const resolveAll: ResolveAll = (hostname, _options, callback) => {
    const answer = answers[asked.length] ?? answers.at(-1) ?? [];
    asked.push(hostname);
    callback(
      null,
      answer.map((address) => ({ address, family: isIP(address) })),
    );
  };
  return { asked, resolveAll };
}

const NOT_ALLOWED = /The address of ".*" is not allowed: it is not a public one, and the operator has not listed it\./;

test.each([
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '%31%32%37.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  'localhost',
  'LOCALHOST',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
])('%s is not reached', async (host) => {
  const [message = ''] = await (await open([])).run(`READ_JSON("http://${host}:${port}/x")`);
  expect(message).toMatch(NOT_ALLOWED);
  expect(server.requests).toEqual([]);
});

test.each([
  'http://127.0.0.1:PORT@example.com/',
  'http://user@127.0.0.1:PORT/',
  'http:127.0.0.1:PORT',
  'http:\\\\127.0.0.1:PORT\\',
  'http://',
])('%s is no location', async (url) => {
  const [message = ''] = await (await open(['127.0.0.0/8'])).run(`READ_JSON(${JSON.stringify(url.replace('PORT', port))})`);
  expect(message).toMatch(/^! (a URL holds no user|not a location)/);
  expect(server.requests).toEqual([]);
});

test('localhost. is not reached, whether the system knows that name or not', async () => {
  const [message = ''] = await (await open([])).run(`READ_JSON("http://localhost.:${port}/x")`);
  expect(message).toMatch(/ is not allowed: | the host is not known/);
  const { resolveAll } = answering(['127.0.0.1', '::1']);
  await at?.close();
  expect(await (await open([], resolveAll)).run(`READ_JSON("http://localhost.:${port}/x")`)).toEqual([expect.stringMatching(NOT_ALLOWED)]);
  expect(server.requests).toEqual([]);
});

test('a name of somebody else that means an address inside is not reached', async () => {
  const { resolveAll } = answering(['127.0.0.1']);
  expect(await (await open([], resolveAll)).run(`READ_JSON("http://evil.example:${port}/x")`)).toEqual([
    expect.stringMatching(NOT_ALLOWED),
  ]);
});

test('a name that changes its meaning gains nothing: what was checked is connected to', async () => {
  const { asked, resolveAll } = answering(['127.0.0.1'], ['127.0.0.2']);
  const runtime = await open(['127.0.0.1'], resolveAll);
  expect(await runtime.run(`READ_JSON("http://rebinding.example:${port}/x", cache := interval "0 seconds")`)).toEqual(['"inside"']);
  expect(asked).toEqual(['rebinding.example']);
  const again = answering(['127.0.0.2']);
  const other = await openReadingRuntime({
    reach: { networkGuard: createNetworkGuard({ allow: ['127.0.0.1'], resolveAll: again.resolveAll }), credentials: testCredentials() },
  });
  expect(await other.run(`READ_JSON("http://rebinding.example:${port}/x")`)).toEqual([expect.stringMatching(NOT_ALLOWED)]);
  await other.close();
});

test.each([
  'http://127.0.0.2/',
  'http://localhost/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  '//0x7f000002/',
  'http://2130706434/',
])('a redirect to %s is not followed', async (location) => {
  server.answer((_, response) => response.writeHead(302, { location }).end());
  const { resolveAll } = answering(['127.0.0.2']);
  const [message = ''] = await (await open(['127.0.0.1'], resolveAll)).run(`READ_JSON("${server.origin}/x")`);
  expect(message).toMatch(NOT_ALLOWED);
  expect(server.requests).toHaveLength(1);
});

test('what the operator lists is reached', async () => {
  expect(await (await open(['127.0.0.0/8'])).run(`READ_JSON("http://127.1:${port}/x")`)).toEqual(['"inside"']);
});
