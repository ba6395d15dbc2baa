import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { READER as caller, openTestRuntime } from './testing/test-runtime.ts';

const FILES = 2000;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-many-'));
  await mkdir(join(root, 'many'));
  for (let i = 0; i < FILES; i += 100)
    await Promise.all(Array.from({ length: 100 }, (_, n) => writeFile(join(root, 'many', `${i + n}.txt`), 'x\n')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const signal = new AbortController().signal;

test.each(['LS("file:many")', 'SELECT COUNT(*) FROM LS("file:**/*.txt")', 'READ_LINES("file:many/*.txt")'])(
  'a time limit that ends while %s looks for files is one, checked or run',
  async (text) => {
    const { runtime, run, close } = await openTestRuntime({ root, timeoutMillis: 1 });
    try {
      await expect(runtime.validate(caller, text, signal)).rejects.toMatchObject({ code: 'query_timeout' });
      await expect(run(text)).rejects.toMatchObject({ code: 'query_timeout' });
    } finally {
      await close();
    }
  },
);
