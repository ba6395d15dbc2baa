import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { testAuthorization } from '@svc/test-kit';

import { openStreamService, type StreamUnderTest } from './testing/stream-under-test.ts';
import { createTopic, type TestTopic } from './testing/test-topic.ts';

const run = promisify(execFile);
const PAGE = await readFile(join(import.meta.dirname, '../../../docs/streams.md'), 'utf8');
const prelude = /```sh\n([\s\S]*?)\n```/.exec(PAGE)?.[1] ?? '';
const shown = [...PAGE.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)```/g)].map(
  ([, commands = '', expected = '']) => ({
    commands,
    expected,
  }),
);

let service: StreamUnderTest;
let topic: TestTopic;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await openStreamService();
  topic = await createTopic({ name: 'orders' });
  const messages = /```json\n([\s\S]*?)\n```/.exec(PAGE)?.[1]?.split('\n') ?? [];
  await topic.send(messages.map((value) => ({ value })));
  const token = await (await testAuthorization()).mint({ sub: 'ann' });
  env = {
    PATH: process.env['PATH'] ?? '',
    STREAM: service.url,
    TOKEN: token,
    BROKER_HOST: topic.host,
    BROKER_PORT: String(topic.port),
  };
});

afterAll(async () => {
  const admin = topic.kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: ['orders'] });
  await admin.disconnect();
  await topic.close();
  await service.close();
});

test('the commands of the page, one after the other, print what stands below them', async () => {
  expect(shown).toHaveLength([...PAGE.matchAll(/```sh\n/g)].length - 1);
  for (const { commands, expected } of shown) {
    const { stdout } = await run('bash', ['-c', `${prelude}\n${commands}`], { env, timeout: 120_000 });
    expect(`${stdout.trimEnd()}\n`).toBe(expected);
  }
});
