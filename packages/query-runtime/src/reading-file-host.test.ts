import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createNetworkGuard } from '@svc/network-guard';
import { type FileHost, openFileHost } from '@svc/test-kit';

import type { Caller } from './caller.ts';
import { testCredentials, type TestCredentials } from './testing/credentials.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const ann: Caller = { subject: 'ann', namespace: 'shared', scopes: [] };
const bob: Caller = { subject: 'bob', namespace: 'shared', scopes: [] };
const TOKEN = 'sl.c4n4ry';

let host: FileHost;
let credentials: TestCredentials;
let at: ReadingRuntime;
beforeEach(async () => {
  host = await openFileHost();
  host.token(TOKEN);
  credentials = testCredentials();
  credentials.registerToken('ann', TOKEN);
  const reach = {
    networkGuard: createNetworkGuard({ allow: ['127.0.0.0/8'] }),
    credentials,
    endpoints: { fileHost: new URL(host.origin) },
  };
  at = await openReadingRuntime({ reach });
  host.put('/Sales/2025/a.csv', 'n\n1\n');
  host.put('/Sales/2025/b.csv', 'n\n2\n');
  host.put('/Sales/2026/c.csv', 'n\n3\n');
  host.put('/Sales/notes.txt', 'é\n');
  host.put('/Übersicht.json', '[{"a": 1}]');
});
afterEach(async () => {
  await at.close();
  await host.close();
});

async function run(text: string, caller: Caller = ann): Promise<readonly string[]> {
  const lines = await at.run(text, {}, { caller });
  expect(lines.join('\n')).not.toContain(TOKEN);
  return lines;
}

test.each([
  ['READ("filehost:/Sales/2025/a.csv")', ['{"n":1}']],
  ['READ("dropbox:/Übersicht.json")', ['{"a":1}']],
  ['READ("filehost:/sales/2025/A.CSV")', ['{"n":1}']],
  ['SELECT SUM(n) FROM READ("filehost:/Sales/2025/*.csv")', ['3']],
  ['SELECT SUM(n) FROM READ("filehost:/Sales/**/?.csv")', ['6']],
  ['SELECT n, file_name FROM READ("filehost:/Sales/*/c.csv", file_name := true)', ['{"n":3,"file_name":"filehost:/Sales/2026/c.csv"}']],
  ['READ_LINES("filehost:/Sales/notes.txt")', ['"é"']],
  ['LS("filehost:/")', ['"filehost:/Sales/"', '"filehost:/Übersicht.json"']],
  ['LS("filehost:/Sales")', ['"filehost:/Sales/2025/"', '"filehost:/Sales/2026/"', '"filehost:/Sales/notes.txt"']],
  ['LL("filehost:/Sales/notes.txt")', ['{"url":"filehost:/Sales/notes.txt","size":3,"modified":"2026-11-21T10:00:00.000"}']],
  ['LS("filehost:/Sales/**/*.csv")', ['"filehost:/Sales/2025/a.csv"', '"filehost:/Sales/2025/b.csv"', '"filehost:/Sales/2026/c.csv"']],
  ['DESCRIBE("filehost:/Sales/2025/a.csv").format', ['"csv"']],
  ['READ("filehost:/Sales")', ['! path not found: filehost:/Sales at READ("filehost:/Sales")']],
  ['READ("filehost:/Sales/none/*.csv")', ['! path not found: filehost:/Sales/none/*.csv at READ("filehost:/Sales/none/*.csv")']],
  ['LS("filehost:/none")', ['! path not found: filehost:/none at LS("filehost:/none")']],
])('%s', async (query, lines) => {
  expect(await run(query)).toEqual(lines);
});

test('without a token, or with one that is not accepted, it says so', async () => {
  const query = 'READ("filehost:/Sales/2025/a.csv")';
  expect(await run(query, bob)).toEqual([
    `! authentication failed: filehost:/Sales/2025/a.csv: did you register credentials for the file host? at ${query}`,
  ]);
  expect(await run(query)).toEqual(['{"n":1}']);
  host.token('another');
  expect(await run(query)).toEqual([
    `! authentication failed: filehost:/Sales/2025/a.csv: the file host did not accept the registered token at ${query}`,
  ]);
  expect(credentials.uses.map(({ subject, kind, error }) => [subject, kind, error === null])).toEqual([
    ['ann', 'filehost-token', true],
    ['ann', 'filehost-token', false],
  ]);
});

test('a file that changes is read anew, and only then downloaded', async () => {
  const query = 'READ("filehost:/Sales/2025/a.csv")';
  const downloads = (): number => host.requests.filter(({ url }) => url.endsWith('/download')).length;
  expect([await run(query), await run(query), downloads()]).toEqual([['{"n":1}'], ['{"n":1}'], 1]);
  host.put('/Sales/2025/a.csv', 'm\nx\n');
  expect([await run(query), downloads()]).toEqual([['{"m":"x"}'], 2]);
});

test('of a large file a part is downloaded to know it', async () => {
  await at.makeParquet('large.parquet', 'SELECT i AS n, hash(i)::VARCHAR AS h FROM range(200000) t(i)');
  const content = await readFile(join(at.root, 'large.parquet'));
  host.put('/large.parquet', content);
  expect(await run('DESCRIBE("filehost:/large.parquet").columns.col_name')).toEqual(['"n"', '"h"']);
  expect(host.requests.flatMap(({ headers }) => headers.range ?? [])).toEqual([`bytes=${content.length - 65_536}-${content.length - 1}`]);
});
