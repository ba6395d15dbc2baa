import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { ask } from '../testing/ask.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { findConsole } from './find-console.ts';

const SCRIPT = `export const text = '${'long '.repeat(400)}';`;

let directory: string;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-console-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>A page of the test</title>');
  await writeFile(join(directory, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(directory, 'assets', 'index-abc123.js'), SCRIPT);
  await writeFile(join(directory, 'assets', 'index-abc123.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(directory, 'assets', 'index-abc123.js.gz'), gzipSync(SCRIPT));
  gateway = await startGatewayUnderTest({ env: { SVC_CONSOLE_DIR: directory } });
});

afterAll(async () => {
  await gateway.close();
  await rm(directory, { recursive: true });
});

test.each(['/console/', '/console/keys', '/console/keys/7', '/console/callback?code=x&state=y', '/console/index.html'])(
  '%s is the page, without a token and not stored',
  async (path) => {
    const { status, headers, body } = await ask(gateway.url, 'get', path);
    expect(status).toBe(200);
    expect(body).toContain('A page of the test');
    expect(headers['content-type']).toContain('text/html');
    expect(headers['cache-control']).toMatch(/^no-(store|cache)$/);
  },
);

test.each(['/console/keys/%zz', '/console/%', '/console/assets/%c3'])('%s is no address', async (path) => {
  expect(await ask(gateway.url, 'get', path)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
});

test('without its slash the address leads to the page', async () => {
  const { status, headers } = await ask(gateway.url, 'get', '/console');
  expect([status, headers['location']]).toEqual([308, '/console/']);
});

test('the settings say where to sign in, and nothing else', async () => {
  const { body, headers } = await ask(gateway.url, 'get', '/console/config.json');
  expect(body).toEqual({ issuer: gateway.env['SVC_TOKEN_ISSUER'], clientId: 'console', audience: gateway.env['SVC_TOKEN_AUDIENCE'] });
  expect(headers['cache-control']).toBe('no-store');
});

test('what has a hash in its name is stored for good', async () => {
  const { status, headers } = await ask(gateway.url, 'get', '/console/assets/index-abc123.js');
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(headers['content-type']).toContain('javascript');
});

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['identity', undefined],
])('a file that was built compressed is sent so to whoever accepts %s, and not again once it is known', async (accepted, encoding) => {
  const get = (more: Readonly<Record<string, string>> = {}) =>
    fetch(`${gateway.url}/console/assets/index-abc123.js`, { headers: { 'Accept-Encoding': accepted, ...more } });
  const response = await get();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    vary: 'Accept-Encoding',
    'cache-control': 'public, max-age=31536000, immutable',
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  });
  expect(Number(response.headers.get('content-length'))).toBeLessThan(encoding === undefined ? SCRIPT.length + 1 : 200);
  expect(await response.text()).toBe(SCRIPT);
  expect((await get({ 'If-None-Match': response.headers.get('etag') ?? '' })).status).toBe(304);
});

test.each(['/console/', '/console/assets/index-abc123.js', '/console/config.json', '/console/assets/missing.js'])(
  '%s has the headers that keep other sites away',
  async (path) => {
    const { headers } = await ask(gateway.url, 'get', path);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`connect-src 'self' ${gateway.env['SVC_TOKEN_ISSUER']}`);
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    expect(headers).not.toHaveProperty('set-cookie');
  },
);

test.each([
  '/console/assets/missing.js',
  '/console/../package.json',
  '/console/%2e%2e/package.json',
  '/console/..%2f..%2fpackage.json',
  '/console/.env',
])('%s is nothing', async (path) => {
  const response = await fetch(`${gateway.url}${path}`);
  expect([401, 404]).toContain(response.status);
  expect(await response.text()).not.toContain('A page of the test');
});

test('another method than GET and HEAD is refused', async () => {
  expect(await ask(gateway.url, 'post', '/console/')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect((await ask(gateway.url, 'head', '/console/')).status).toBe(200);
});

test('a folder without the page stops the start with a line that names the setting', () => {
  const config = { consoleDirectory: join(directory, 'assets'), consoleClientId: 'x', tokenIssuer: 'http://x', tokenAudience: 'x' };
  expect(() => findConsole(config)).toThrow('SVC_CONSOLE_DIR cannot be used');
});
