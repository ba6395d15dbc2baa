import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../testing/example-main.ts', import.meta.url));

let children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--conditions=@svc/source', MAIN], { env: { ...process.env, SVC_HOST: '127.0.0.1', ...env } });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (output.out += String(chunk)));
  child.stderr.on('data', (chunk) => (output.err += String(chunk)));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const started = async (): Promise<{ url: string }> => {
    while (!output.out.includes('service started')) await once(child.stdout, 'data');
    const line = output.out.split('\n').find((candidate) => candidate.includes('service started')) ?? '';
    return JSON.parse(line) as { url: string };
  };
  return { child, output, exited, started };
}

const PORTS = { SVC_EXECUTOR_PORT: '0', SVC_EXECUTOR_ADMIN_PORT: '0' };

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the process with code 0', async (signal) => {
  const { child, exited, started, output } = run(PORTS);
  await started();

  child.kill(signal);

  expect(await exited).toBe(0);
  expect(output.err).toBe('');
  expect(output.out).toContain('service stopped');
});

test('a second signal ends it at once with code 1, whatever still runs', async () => {
  const { child, exited, started, output } = run(PORTS);
  const { url } = await started();
  const hanging = fetch(`${url}/hang`).catch((error: unknown) => String(error));
  while (!output.out.includes('hanging')) await once(child.stdout, 'data');

  child.kill('SIGTERM');
  while (!output.out.includes('not ready any more')) await once(child.stdout, 'data');
  child.kill('SIGTERM');

  expect(await exited).toBe(1);
  expect(await hanging).toContain('fetch failed');
});

test('settings that cannot be used are one line each, exit code 1', async () => {
  const { exited, output } = run({ ...PORTS, SVC_LOG_LEVEL: 'loud', SVC_BODY_LIMIT_KB: '0' });

  expect(await exited).toBe(1);
  expect(output.out).toBe('');
  expect(output.err.trim().split('\n')).toEqual([
    'SVC_BODY_LIMIT_KB cannot be used: expected a whole number of kilobytes from 1 to 1048576, found "0"',
    'SVC_LOG_LEVEL cannot be used: expected one of trace, debug, info, warn, error, fatal, silent, found "loud"',
  ]);
});

test('a port in use is one line, exit code 1', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;

  const { exited, output } = run({ ...PORTS, SVC_EXECUTOR_PORT: String(port) });

  expect(await exited).toBe(1);
  expect(output.err).toBe(`example cannot listen on 127.0.0.1 port ${port}: the port is in use by another process\n`);
  await new Promise((resolve) => other.close(resolve));
});

const FAULTS = [
  ['timer', 'a fault of kind timer'],
  ['rejection', 'a fault of kind rejection'],
  ['listener', 'a fault of kind listener'],
  ['stream', 'incorrect header check'],
] as const;

test('what the streams and callbacks of a request throw is the 500 of that request, logged once with its id, and of no other', async () => {
  const { started, output, child } = run(PORTS);
  const { url } = await started();

  for (const [kind, message] of FAULTS) {
    const answer = await fetch(`${url}/faults/${kind}`, { method: 'POST', body: 'no gzip', headers: { 'X-Request-Id': `id-of-${kind}` } });

    expect([answer.status, answer.headers.get('X-Request-Id')]).toEqual([500, `id-of-${kind}`]);
    expect(await answer.text()).not.toContain(message);
    while (!output.out.includes(message)) await once(child.stdout, 'data');
    const lines = output.out.split('\n').filter((line) => line.includes(message));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ level: 'error', request: { id: `id-of-${kind}` } }]);
  }
  expect(await (await fetch(url)).text()).toBe('ok');
});

test('an answer that has begun is cut off, and a callback that fails after its request is only logged', async () => {
  const { started, output, child } = run(PORTS);
  const { url } = await started();

  const begun = await fetch(`${url}/faults/begun`, { method: 'POST' });
  await expect(begun.text()).rejects.toThrow('terminated');
  expect((await fetch(`${url}/faults/late`, { method: 'POST' })).status).toBe(200);

  while (!output.out.includes('after the end of its request')) await once(child.stdout, 'data');
  expect(await (await fetch(url)).text()).toBe('ok');
});

test('an exception outside of requests ends the process with code 1, and is logged', async () => {
  const { started, output, exited } = run(PORTS);
  const { url } = await started();

  await expect(fetch(`${url}/outside`)).rejects.toThrow('fetch failed');

  expect(await exited).toBe(1);
  expect(output.out).toContain('"level":"fatal"');
  expect(output.out).toContain('a fault outside of requests');
});
