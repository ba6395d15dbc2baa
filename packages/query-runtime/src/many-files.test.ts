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

test.each(['READ_TEXT', 'READ_BINARY'])('%s of a pattern says how many files it names', async (read) => {
  const { runtime, close } = await openTestRuntime({ root });
  try {
    await expect(runtime.validate(caller, `${read}("file:many/*.txt")`, signal)).rejects.toMatchObject({
      validationErrors: [{ message: `${read} reads one file, and the pattern names ${FILES}` }],
    });
  } finally {
    await close();
  }
});

test('a list that is long is listed in each run, in order', async () => {
  const { run, close } = await openTestRuntime({ root });
  try {
    const ls = 'LS("file:many")';
    expect(await run(`SELECT COUNT(*) FROM ${ls}`)).toBe(`${FILES}\n`);
    expect(await run(`SELECT * FROM ${ls} f LIMIT 2 OFFSET ${FILES - 2}`)).toBe('"file:many/998.txt"\n"file:many/999.txt"\n');
    await writeFile(join(root, 'many', '9990.txt'), '');
    expect(await run(`SELECT * FROM ${ls} f LIMIT 2 OFFSET ${FILES - 1}`)).toBe('"file:many/999.txt"\n"file:many/9990.txt"\n');
    expect(await run(`(SELECT f.size FROM LL("file:many") f WHERE f.url = "file:many/0.txt")`)).toBe('2\n');
    await rm(join(root, 'many', '9990.txt'));
  } finally {
    await close();
  }
});
