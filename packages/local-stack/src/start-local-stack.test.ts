import { createServer } from 'node:net';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { identifyProcess } from './process-identity.ts';
import { startLocalStack, type LocalStack, type LocalStackOptions } from './start-local-stack.ts';
import { waitUntil } from './wait-until.ts';
import { withTemporaryDirectory } from './testing/temporary-directory.ts';

const SERVICES = [
  { name: 'sample', area: 'SAMPLE', entry: join(import.meta.dirname, 'testing', 'sample-service.ts'), port: 1, adminPort: 2 },
];

async function someOptions(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<LocalStackOptions> {
  const ports = {
    SVC_AUTHORIZATION_PORT: String(await freePort()),
    SVC_SAMPLE_PORT: String(await freePort()),
    SVC_SAMPLE_ADMIN_PORT: String(await freePort()),
  };
  return {
    env: { PATH: process.env['PATH'], SVC_DATA_DIR: dataDir, ...ports, ...env },
    directory: dataDir,
    migrate: () => Promise.resolve(),
    services: SERVICES,
    signal: new AbortController().signal,
  };
}

/** Returns the environment and process id of the sample service. */
async function serviceEnvironment(stack: LocalStack): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(stack.addresses[0]?.url ?? '');
  return (await response.json()) as Readonly<Record<string, string>>;
}

test('a service finds database, tokens and files in its environment', () =>
  withTemporaryDirectory(async (directory) => {
    const migrated: string[] = [];
    const options = await someOptions(directory);
    const stack = await startLocalStack({ ...options, migrate: (url) => Promise.resolve(migrated.push(url)) });
    const env = await serviceEnvironment(stack);
    const issuer = `http://127.0.0.1:${options.env['SVC_AUTHORIZATION_PORT'] ?? ''}`;
    expect(migrated).toEqual([env['SVC_DATABASE_URL']]);
    expect(env).toMatchObject({
      SVC_TOKEN_ISSUER: issuer,
      SVC_TOKEN_JWKS_URL: `${issuer}/jwks`,
      SVC_TOKEN_AUDIENCE: 'urn:svc:local',
      SVC_FILE_ROOTS: join(directory, 'examples', 'data'),
      SVC_NETWORK_ALLOW: '127.0.0.0/8,::1',
    });
    expect(((await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as { issuer: string }).issuer).toBe(issuer);
    await stack.stop();
  }));

test('the master key is made once, for its owner alone, and gives way to one that is set', () =>
  withTemporaryDirectory(async (directory) => {
    const path = join(directory, 'master-key');
    const masterKey = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
      const stack = await startLocalStack(await someOptions(directory, env));
      const { SVC_MASTER_KEY, SVC_MASTER_KEY_FILE } = await serviceEnvironment(stack);
      await stack.stop();
      return { SVC_MASTER_KEY, SVC_MASTER_KEY_FILE };
    };

    expect(await masterKey({ SVC_MASTER_KEY: 'of the operator' })).toEqual({ SVC_MASTER_KEY: 'of the operator' });
    expect(await readdir(directory)).not.toContain('master-key');
    expect(await masterKey({})).toEqual({ SVC_MASTER_KEY_FILE: path });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    expect(Buffer.from(text, 'base64')).toHaveLength(32);
    expect(await masterKey({})).toEqual({ SVC_MASTER_KEY_FILE: path });
    expect(await readFile(path, 'utf8')).toBe(text);
  }));

test('after a stop no process and no lock is left', () =>
  withTemporaryDirectory(async (directory) => {
    const stack = await startLocalStack(await someOptions(directory));
    const { pid } = await serviceEnvironment(stack);
    await stack.stop();
    expect(identifyProcess(Number(pid))).toBeUndefined();
    expect(await readdir(directory)).not.toContain('lock');
    expect(await readdir(join(directory, 'postgres'))).not.toContain('postmaster.pid');
  }));

async function isAnother(stack: LocalStack, pid: string | undefined): Promise<true | undefined> {
  const env = await serviceEnvironment(stack).catch(() => undefined);
  return env !== undefined && env['pid'] !== pid ? true : undefined;
}

/** Kills the sample service; resolves when another process answers in its place. */
async function killService(stack: LocalStack): Promise<void> {
  const { pid } = await serviceEnvironment(stack);
  process.kill(Number(pid), 'SIGKILL');
  await waitUntil(() => isAnother(stack, pid), { timeoutMs: 30_000, what: 'another process to answer' });
}

test('a service that dies is started again, which is told, and is given up at the fifth death within a minute', () =>
  withTemporaryDirectory(async (directory) => {
    const notices: string[] = [];
    const stack = await startLocalStack({ ...(await someOptions(directory)), onNotice: (line) => void notices.push(line) });
    let hasFailed = false;
    void stack.failed.then(() => (hasFailed = true));
    await killService(stack);
    await waitUntil(() => notices.length === 2 || undefined, { timeoutMs: 30_000, what: 'two notices' });
    expect(notices).toEqual(['The sample has ended (SIGKILL): it is started again.', 'The sample is ready again.']);
    for (let death = 2; death <= 4; death += 1) await killService(stack);
    expect(hasFailed).toBe(false);
    process.kill(Number((await serviceEnvironment(stack))['pid']), 'SIGKILL');
    expect(await stack.failed).toBe('The sample has ended 5 times within a minute (SIGKILL): it is not started again.');
    await stack.stop();
  }));

test('a stop that comes while a service is started again leaves no process', () =>
  withTemporaryDirectory(async (directory) => {
    const again = Promise.withResolvers<void>();
    const stack = await startLocalStack({ ...(await someOptions(directory)), onNotice: () => again.resolve() });
    const { url } = stack.addresses[0] ?? { url: '' };
    process.kill(Number((await serviceEnvironment(stack))['pid']), 'SIGKILL');
    await again.promise;
    await stack.stop();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  }));

test('every port in use is named, with its setting, and nothing is left', () =>
  withTemporaryDirectory(async (directory) => {
    const options = await someOptions(directory);
    const port = options.env['SVC_SAMPLE_ADMIN_PORT'];
    const squatter = createServer().listen(Number(port), '127.0.0.1');
    await once(squatter, 'listening');
    await expect(startLocalStack(options)).rejects.toThrow(
      `Port ${String(port)} is in use: stop what listens there, or set SVC_SAMPLE_ADMIN_PORT to another one.`,
    );
    squatter.close();
    expect(await readdir(directory)).toEqual([]);
  }));

test('a service that refuses to start stops the rest', () =>
  withTemporaryDirectory(async (directory) => {
    const options = await someOptions(directory, { SVC_SAMPLE_REFUSES: 'SVC_SAMPLE cannot be used' });
    await expect(startLocalStack(options)).rejects.toMatchObject({ name: 'StartError' });
    expect(await readdir(directory)).not.toContain('lock');
  }));

test('a database that cannot be migrated stops the rest', () =>
  withTemporaryDirectory(async (directory) => {
    const migrate = (): Promise<never> => Promise.reject(new Error('of a newer version'));
    await expect(startLocalStack({ ...(await someOptions(directory)), migrate })).rejects.toThrow('of a newer version');
    expect(await readdir(join(directory, 'postgres'))).not.toContain('postmaster.pid');
  }));

test('a data directory that cannot be made is named', async () => {
  await expect(startLocalStack(await someOptions('/dev/null/x'))).rejects.toThrow('SVC_DATA_DIR cannot be used');
});
