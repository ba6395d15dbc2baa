import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { freeSettings, isListening, openStacks, processWith, tokenOf, until, untilNoProcess, type Stacks } from './stack.ts';

let stacks: Stacks;

beforeAll(async () => {
  stacks = await openStacks();
});

afterAll(() => stacks.close());

async function query(text: string, token: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${stacks.settings.SVC_EXECUTOR_PORT}/query`, {
    method: 'POST',
    body: text,
    headers: { Authorization: `Bearer ${token.trim()}`, 'Content-Type': 'text/plain' },
  });
}

async function expectNothingLeft(): Promise<void> {
  await untilNoProcess(stacks.dataDir);
  for (const port of [stacks.settings.SVC_EXECUTOR_PORT, stacks.settings.SVC_EXECUTOR_ADMIN_PORT, stacks.settings.SVC_AUTHORIZATION_PORT])
    expect(await isListening(port)).toBe(false);
}

test('a fresh stack becomes ready, and what it prints to paste gives what it says', async () => {
  const stack = stacks.start();
  await stack.ready;
  const command = /curl .*--data-binary '([^']+)'/s.exec(stack.output());
  const token = /Authorization: Bearer (\S+?)'/.exec(stack.output())?.[1] ?? '';
  const expected = [...stack.output().matchAll(/^\{.*\}$/gm)].map((line) => line[0]).filter((line) => !line.includes('"level"'));
  expect(expected.length).toBeGreaterThan(0);
  const answer = await query(command?.[1] ?? '', token);
  expect(answer.status).toBe(200);
  expect((await answer.text()).split('\n').slice(0, expected.length)).toEqual(expected);
  const ready = await fetch(`http://127.0.0.1:${stacks.settings.SVC_EXECUTOR_ADMIN_PORT}/ready`);
  expect(ready.status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${stacks.settings.SVC_EXECUTOR_ADMIN_PORT}/metrics`)).text();
  expect(metrics).toMatch(/svc_queries_running 0/);
});

test('each service prints the metrics that docs/operations.md lists for it, and no others of ours', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(svc_\w+)` \| (\w+) \| (\w+) \|/gm)];
  expect(listed.length).toBeGreaterThan(0);
  for (const service of ['gateway', 'executor', 'credentials', 'stream']) {
    const response = await fetch(`http://127.0.0.1:${stacks.settings[`SVC_${service.toUpperCase()}_ADMIN_PORT`]}/metrics`);
    const printed = [...(await response.text()).matchAll(/^# TYPE (svc_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const expected = listed.filter(([, , , of]) => of === 'all' || of === service).map(([, name, type]) => `${name} ${type}`);
    expect(printed.toSorted()).toEqual(expected.toSorted());
  }
});

test('npm run -s token prints a token of this stack and nothing else, with the claims that were asked for', async () => {
  const token = await tokenOf(stacks.settings, '--sub', 'ann');
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  expect(await (await query('USER()', token)).text()).toBe('"ann"\n');
  const expired = await tokenOf(stacks.settings, '--expires-in', '-60');
  expect((await query('1', expired)).status).toBe(401);
  const stranger = await tokenOf(stacks.settings, '--claim', 'aud=somebody-else');
  expect((await query('1', stranger)).status).toBe(401);
});

test('a second stack in the same directory is refused in one line', async () => {
  const second = stacks.start(await freeSettings(stacks.dataDir).then((free) => ({ ...free })));
  expect(await second.ended).toBe(1);
  expect(second.output()).toMatch(/is in use by process \d+/);
});

test('SIGTERM to npm, and SIGINT, leave no process and no lock: the next start becomes ready', async () => {
  const [first] = stacks.started;
  first?.process.kill('SIGTERM');
  expect(await first?.ended).toBe(0);
  await expectNothingLeft();
  const again = stacks.start();
  await again.ready;
  again.process.kill('SIGINT');
  expect(await again.ended).toBe(0);
  await expectNothingLeft();
});

test('a stack that was killed starts again', async () => {
  const killed = stacks.start();
  await killed.ready;
  process.kill(-(killed.process.pid ?? 0), 'SIGKILL');
  await killed.ended;
  const again = stacks.start();
  await again.ready;
  expect((await query('1 + 1', await tokenOf(stacks.settings))).status).toBe(200);
  again.process.kill('SIGTERM');
  expect(await again.ended).toBe(0);
  await expectNothingLeft();
});

test('a service that dies is started again, and its clients are answered', async () => {
  const stack = stacks.start();
  await stack.ready;
  const token = await tokenOf(stacks.settings);
  process.kill(await processWith(stack, 'services/executor/src/main.ts'), 'SIGKILL');
  await until('the executor is started again', async () => stack.output().includes('The executor is ready again.'));
  expect(stack.output()).toContain('The executor has ended (SIGKILL): it is started again.');
  expect((await query('1 + 1', token)).status).toBe(200);
  stack.process.kill('SIGTERM');
  expect(await stack.ended).toBe(0);
  await expectNothingLeft();
});

test('a port in use and settings that cannot be used are named, exit code 1', async () => {
  const squatter = createServer().listen(Number(stacks.settings.SVC_EXECUTOR_PORT), '127.0.0.1');
  await once(squatter, 'listening');
  try {
    const refused = stacks.start();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(`Port ${stacks.settings.SVC_EXECUTOR_PORT} is in use`);
  } finally {
    squatter.close();
  }
  const misconfigured = stacks.start({ SVC_QUERY_TIMEOUT_MS: 'soon', SVC_LOG_LEVEL: 'loud' });
  expect(await misconfigured.ended).toBe(1);
  expect(misconfigured.output()).toContain('SVC_QUERY_TIMEOUT_MS');
  expect(misconfigured.output()).toContain('SVC_LOG_LEVEL');
  await expectNothingLeft();
});
