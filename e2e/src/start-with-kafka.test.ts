import { createServer } from 'node:net';
import { once } from 'node:events';

import { isListening, openStacks, until, untilNoProcess, type Stack, type Stacks } from './stack.ts';

let stacks: Stacks;

beforeAll(async () => {
  stacks = await openStacks();
});

afterAll(() => stacks.close());

function start(...args: readonly string[]): Stack {
  return stacks.start({}, ...args);
}

/** Executes a printed curl command. */
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

async function stop(stack: Stack): Promise<void> {
  stack.process.kill('SIGTERM');
  expect(await stack.ended).toBe(0);
  await untilNoProcess(stacks.dataDir);
  expect(await isListening(stacks.settings.SVC_EXECUTOR_PORT)).toBe(false);
  const port = createServer().listen(Number(stacks.settings['SVC_KAFKA_PORT']), '127.0.0.1');
  await once(port, 'listening');
  port.close();
}

test('the printed commands make a stream whose rows keep arriving, also after the next start', async () => {
  const first = start('--with-kafka');
  await first.ready;
  const created = await runPrinted(first, '/stream/flights');
  expect({ status: created.status, text: await created.text() }).toEqual({ status: 200, text: '' });
  await until('rows arrive', async () => (await countDepartures(first)) > 0);
  const count = await countDepartures(first);
  await until('more rows arrive', async () => (await countDepartures(first)) > count);
  const before = await countDepartures(first);
  await stop(first);
  const second = start('--with-kafka');
  await second.ready;
  await until('rows arrive again', async () => (await countDepartures(second)) > before);
  await stop(second);
});

test('an unknown argument, and a port in use, are errors in a few words; --help shows the arguments', async () => {
  const unknown = start('--with-kafak');
  expect(await unknown.ended).toBe(1);
  expect(unknown.output()).toMatch(/--with-kafak'.*\n\nUsage: .*\n\n {2}--with-kafka/);
  const help = start('--help');
  expect(await help.ended).toBe(0);
  expect(help.output()).toContain('--with-kafka');
  const squatter = createServer().listen(Number(stacks.settings['SVC_KAFKA_PORT']), '127.0.0.1');
  await once(squatter, 'listening');
  try {
    const refused = start('--with-kafka');
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(
      `Port ${stacks.settings['SVC_KAFKA_PORT'] ?? ''} is in use: stop what listens there, or set SVC_KAFKA_PORT`,
    );
  } finally {
    squatter.close();
  }
});
