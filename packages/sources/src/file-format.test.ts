import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lookAtFile } from './file-format.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-format-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['a.csv', '{}', 'csv'],
  ['a.JSON', 'n', 'json'],
  ['a.pq', '', 'parquet'],
  ['a', '{"n": 1}', 'json'],
  ['a', '<a/>', 'xml'],
  ['a', 'Obj\u0001', 'avro'],
  ['a', 'n\n1\n', 'csv'],
  ['a', 'n\0', null],
  ['a.constructor', 'n\n1\n', 'csv'],
  ['a.__proto__', '{"n": 1}', 'json'],
  ['a.toString', '<a/>', 'xml'],
])('%s that begins with %j is %s', async (name, content, format) => {
  const path = join(folder, name);
  await writeFile(path, content);
  const look = await lookAtFile({ path }, AbortSignal.timeout(60_000));
  expect(look.format).toBe(format);
});
