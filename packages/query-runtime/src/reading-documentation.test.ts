import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createNetworkGuard } from '@svc/network-guard';
import { type FileHost, type HttpServer, openFileHost, openHttpServer } from '@svc/test-kit';

import { testCredentials } from './testing/credentials.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FILES = join(import.meta.dirname, 'testing/files');
const ORIGIN = 'https://example.com';
const text = await readFile(join(ROOT, 'docs/reading.md'), 'utf8');
const examples = [...text.matchAll(/```query\n([\s\S]*?)\n```\n```(result|error)\n([\s\S]*?)```/g)].map(
  ([, query = '', kind = '', expected = '']) => ({ query, kind, expected: expected.trimEnd() }),
);

let server: HttpServer;
let host: FileHost;
let at: ReadingRuntime;
beforeAll(async () => {
  server = await openHttpServer();
  host = await openFileHost();
  const credentials = testCredentials();
  host.token('token');
  credentials.registerToken('reader', 'token');
  const networkGuard = createNetworkGuard({ allow: ['127.0.0.1'] });
  at = await openReadingRuntime({ reach: { networkGuard, credentials, endpoints: { fileHost: new URL(host.origin) } } });
  for (const [, name = '', content = ''] of text.matchAll(/```file (\S+)\n([\s\S]*?)```/g)) await at.write(name, content);
  for (const [, path = '', content = ''] of text.matchAll(/```hosted (\S+)\n([\s\S]*?)```/g)) host.put(path, content);
  const answers = [...text.matchAll(/```answer (?:([A-Z]+) )?(\S+)(?: (\d+))?\n([\s\S]*?)```/g)].map(
    ([, method = 'GET', path = '', status = '200', content = '']) => [`${method} ${path}`, { status: Number(status), content }] as const,
  );
  server.answer(({ method, url }, response) => {
    const { status, content } = new Map(answers).get(`${method} ${url}`) ?? { status: 404, content: '' };
    response.writeHead(status).end(content);
  });
  await at.write('gapminder.parquet', await readFile(join(ROOT, 'examples/data/gapminder.parquet')));
  await at.write('book.xlsx', await readFile(join(FILES, 'book.xlsx')));
  await at.write('all-types.avro', await readFile(join(FILES, 'null.avro')));
});
afterAll(async () => {
  await at.close();
  await Promise.all([server.close(), host.close()]);
});

test('every query of the page on reading is followed by its result or its error', () => {
  expect(examples).toHaveLength([...text.matchAll(/```query\n/g)].length);
});

test.each(examples)('$query', async ({ query, kind, expected }) => {
  const lines = (await at.run(query.replaceAll(ORIGIN, server.origin))).map((line) => line.replaceAll(server.origin, ORIGIN));
  const [first = ''] = lines;
  // The page omits the positions of errors.
  const outcome = kind === 'result' ? lines.join('\n') : first.startsWith(`! ${expected} at `) ? expected : first;
  expect(outcome).toBe(expected);
});
