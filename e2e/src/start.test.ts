import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { freeSettings, isListening, openStacks, processWith, tokenOf, until, untilNoProcess, type Stack, type Stacks } from './stack.ts';

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

/** The stack that was started last, and runs. */
function running(): Stack {
  const stack = stacks.started.findLast(({ process: npm }) => npm.exitCode === null && npm.signalCode === null);
  if (stack === undefined) throw new Error('no stack runs');
  return stack;
}

/** Executes the printed curl command for an address; the last one, if there are several. */
async function runPrinted(stack: Stack, address: string): Promise<Response> {
  const commands = [...stack.output().matchAll(/^curl -s (\S+) -H '(.+?): (.+?)' -H '(.+?): (.+?)' (?:-d|--data-binary) '([^']+)'$/gm)];
  const command = commands.findLast(([, url = '']) => url.endsWith(address));
  if (command === undefined) throw new Error(`no command for ${address} was printed:\n${stack.output()}`);
  const [, url = '', type = '', typeValue = '', authorization = '', token = '', body = ''] = command;
  return fetch(url, { method: 'POST', headers: { [type]: typeValue, [authorization]: token }, body });
}

/** Returns the number of departures that the printed query counts at the three busiest airports. */
async function countDepartures(stack: Stack): Promise<number> {
  const response = await runPrinted(stack, '/query');
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  const rows = text.split('\n').filter((line) => line !== '');
  return rows.reduce((sum, row) => sum + (JSON.parse(row) as { departures: number }).departures, 0);
}

async function stop(stack: Stack, signal: NodeJS.Signals): Promise<void> {
  stack.process.kill(signal);
  expect(await stack.ended).toBe(0);
  await expectNothingLeft();
}

async function expectNothingLeft(): Promise<void> {
  await untilNoProcess(stacks.dataDir);
  for (const port of [stacks.settings.SVC_EXECUTOR_PORT, stacks.settings.SVC_EXECUTOR_ADMIN_PORT, stacks.settings.SVC_AUTHORIZATION_PORT])
    expect(await isListening(port)).toBe(false);
  const kafka = createServer().listen(Number(stacks.settings['SVC_KAFKA_PORT']), '127.0.0.1');
  await once(kafka, 'listening');
  kafka.close();
}

test('a fresh stack becomes ready, and what it prints to paste gives what it says', async () => {
  const stack = stacks.start();
  await stack.ready;
  const expected = [...stack.output().matchAll(/^\{.*\}$/gm)].map((line) => line[0]).filter((line) => !line.includes('"level"'));
  expect(expected.length).toBeGreaterThan(0);
  const answer = await runPrinted(stack, '/query');
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

test('a service that dies is started again, and its clients are answered', async () => {
  const stack = running();
  const token = await tokenOf(stacks.settings);
  process.kill(await processWith(stack, 'services/executor/src/main.ts'), 'SIGKILL');
  await until('the executor is started again', async () => stack.output().includes('The executor is ready again.'));
  expect(stack.output()).toContain('The executor has ended (SIGKILL): it is started again.');
  expect((await query('1 + 1', token)).status).toBe(200);
});

test('a stack that was killed starts again, also with Kafka', async () => {
  const killed = running();
  process.kill(-(killed.process.pid ?? 0), 'SIGKILL');
  await killed.ended;
  await stacks.start({}, '--with-kafka').ready;
  expect((await query('1 + 1', await tokenOf(stacks.settings))).status).toBe(200);
});

test('SIGTERM to npm, and SIGINT, leave no process and no lock; a stream of the printed commands keeps receiving rows at the next start', async () => {
  const first = running();
  const created = await runPrinted(first, '/stream/flights');
  expect({ status: created.status, text: await created.text() }).toEqual({ status: 200, text: '' });
  await until('rows arrive', async () => (await countDepartures(first)) > 0);
  const count = await countDepartures(first);
  await until('more rows arrive', async () => (await countDepartures(first)) > count);
  const before = await countDepartures(first);
  await stop(first, 'SIGTERM');
  const second = stacks.start({}, '--with-kafka');
  await second.ready;
  await until('rows arrive again', async () => (await countDepartures(second)) > before);
  await stop(second, 'SIGINT');
});

test('an unknown argument is an error in a few words; --help shows the arguments', async () => {
  const unknown = stacks.start({}, '--with-kafak');
  const help = stacks.start({}, '--help');
  expect([await unknown.ended, await help.ended]).toEqual([1, 0]);
  expect(unknown.output()).toMatch(/--with-kafak'.*\n\nUsage: .*\n\n {2}--with-kafka/);
  expect(help.output()).toContain('--with-kafka');
});

test.each([
  ['SVC_EXECUTOR_PORT', []],
  ['SVC_KAFKA_PORT', ['--with-kafka']],
])('a port in use is named with its setting, exit code 1: %s', async (setting, args) => {
  const port = String(stacks.settings[setting]);
  const squatter = createServer().listen(Number(port), '127.0.0.1');
  await once(squatter, 'listening');
  try {
    const refused = stacks.start({}, ...args);
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(`Port ${port} is in use: stop what listens there, or set ${setting}`);
  } finally {
    squatter.close();
  }
});

test('settings that cannot be used are named, exit code 1', async () => {
  const misconfigured = stacks.start({ SVC_QUERY_TIMEOUT_MS: 'soon', SVC_LOG_LEVEL: 'loud' });
  expect(await misconfigured.ended).toBe(1);
  expect(misconfigured.output()).toContain('SVC_QUERY_TIMEOUT_MS');
  expect(misconfigured.output()).toContain('SVC_LOG_LEVEL');
  await expectNothingLeft();
});
