import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { createRemoteJWKSet, jwtVerify } from 'jose';

import { eventually } from '@svc/test-kit';

const AUDIENCE = 'urn:svc:test';
const ISSUER = 'http://issuer.example';

function run(file: string, env: Readonly<Record<string, string>>, args: readonly string[] = []): ChildProcess {
  const path = new URL(file, import.meta.url).pathname;
  return spawn(process.execPath, ['--conditions=@svc/source', '--disable-warning=ExperimentalWarning', path, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function firstLine(child: ChildProcess): Promise<{ readonly url: string }> {
  if (child.stdout === null) throw new Error('the output is piped');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return JSON.parse(chunk.toString()) as { readonly url: string };
}

test('tokens of the server and printed ones verify against its keys, also after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-authorization-'));
  const env = {
    SVC_HOST: '127.0.0.1',
    SVC_AUTHORIZATION_PORT: '0',
    SVC_DATA_DIR: dataDir,
    SVC_TOKEN_ISSUER: ISSUER,
    SVC_TOKEN_AUDIENCE: AUDIENCE,
    SVC_NAMESPACE_CLAIM: 'org',
    SVC_GATEWAY_CLIENT_SECRET: 'a secret of a test',
  };
  const first = run('./main.ts', env);
  await firstLine(first);
  const printed = run('./print-token.ts', env, ['--sub', 'ada', '--scope', 'svc:admin']);
  if (printed.stdout === null) throw new Error('the output is piped');
  const token = (await text(printed.stdout)).trim();
  first.kill('SIGTERM');
  expect((await once(first, 'exit'))[0]).toBe(0);

  const second = run('./main.ts', env);
  const { url } = await firstLine(second);
  const keys = createRemoteJWKSet(new URL(`${url}/jwks`));
  const { payload } = await jwtVerify(token, keys, { issuer: ISSUER, audience: AUDIENCE });
  expect(payload).toMatchObject({ sub: 'ada', org: 'ada', scope: 'svc:admin' });
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('gateway:a%20secret%20of%20a%20test')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'svc:act-as' }),
  });
  const { access_token: own } = (await response.json()) as { readonly access_token: string };
  expect((await jwtVerify(own, keys, { audience: AUDIENCE })).payload).toMatchObject({
    client_id: 'gateway',
    org: 'gateway',
    scope: 'svc:act-as',
  });
  second.kill('SIGTERM');
  await eventually(() => expect(second.exitCode).toBe(0));
  await rm(dataDir, { recursive: true, force: true });
});

test('a missing setting ends the process with a line for each', async () => {
  const child = run('./main.ts', {});
  if (child.stderr === null) throw new Error('the output is piped');
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number]>]);
  expect(code).toBe(1);
  expect(errors.match(/^SVC_\w+ is not set/gm)).toEqual([
    'SVC_DATA_DIR is not set',
    'SVC_TOKEN_ISSUER is not set',
    'SVC_TOKEN_AUDIENCE is not set',
    'SVC_GATEWAY_CLIENT_SECRET is not set',
  ]);
});
