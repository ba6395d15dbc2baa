import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { migrate } from '@svc/database';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function start(env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, ['--conditions=@svc/source', MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SVC_HOST: '127.0.0.1',
      SVC_CREDENTIALS_PORT: '0',
      SVC_CREDENTIALS_ADMIN_PORT: '0',
      ...env,
    },
  });
}

test('without a master key and the other settings it does not start, and names them all', async () => {
  const child = start({ SVC_CREDENTIAL_AUDIT_DAYS: '0' });
  const [lines, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => line.replace(/ (?:is not set|cannot be used):.*/, '')),
  ).toEqual(['SVC_DATABASE_URL', 'SVC_TOKEN_ISSUER', 'SVC_TOKEN_AUDIENCE', 'SVC_MASTER_KEY', 'SVC_CREDENTIAL_AUDIT_DAYS']);
});

test('addresses and a scope that nothing could match stop it, without a password in the message', async () => {
  const child = start({
    SVC_DATABASE_URL: 'mysql://svc:sesame@db/x',
    SVC_TOKEN_ISSUER: 'login.example.com',
    SVC_TOKEN_AUDIENCE: 'svc',
    SVC_REQUIRED_SCOPE: 'a b',
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
  });
  const [lines, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, lines]).toEqual([
    1,
    'SVC_DATABASE_URL cannot be used: expected the address of a PostgreSQL database, a URL that begins with postgresql:// or postgres://, its value, which is not shown, is not that\n' +
      'SVC_TOKEN_ISSUER cannot be used: expected the issuer of access tokens, a URL that begins with https:// or http://, found "login.example.com"\n' +
      'SVC_REQUIRED_SCOPE cannot be used: expected one scope, found "a b"\n',
  ]);
});

test('it becomes ready, shows its metrics on the admin port alone, and stops when told to', async () => {
  const [database, { issuer, audience, mint }] = await Promise.all([createTestDatabase({ migrate }), testAuthorization()]);
  const child = start({
    SVC_DATABASE_URL: database.url,
    SVC_TOKEN_ISSUER: issuer,
    SVC_TOKEN_AUDIENCE: audience,
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
  });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, adminUrl } = JSON.parse(line) as { url: string; adminUrl: string };
  const Authorization = `Bearer ${await mint()}`;
  const statusOf = async (address: string): Promise<number> => (await fetch(address, { headers: { Authorization } })).status;
  expect(await statusOf(`${adminUrl}/ready`)).toBe(200);
  expect(await statusOf(`${url}/objbuckets`)).toBe(200);
  expect(await (await fetch(`${adminUrl}/metrics`)).text()).toContain('route="/objbuckets",status="200"} 1');
  expect(await statusOf(`${url}/metrics`)).toBe(404);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await database.drop();
});
