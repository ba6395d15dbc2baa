import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FILES = join(import.meta.dirname, 'testing/files');
const text = await readFile(join(ROOT, 'docs/reading.md'), 'utf8');
const examples = [...text.matchAll(/```query\n([\s\S]*?)\n```\n```(result|error)\n([\s\S]*?)```/g)].map(
  ([, query = '', kind = '', expected = '']) => ({ query, kind, expected: expected.trimEnd() }),
);

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
  for (const [, name = '', content = ''] of text.matchAll(/```file (\S+)\n([\s\S]*?)```/g)) await at.write(name, content);
  await at.write('gapminder.parquet', await readFile(join(ROOT, 'examples/data/gapminder.parquet')));
  await at.write('book.xlsx', await readFile(join(FILES, 'book.xlsx')));
  await at.write('all-types.avro', await readFile(join(FILES, 'null.avro')));
});
afterAll(() => at.close());

test('every query of the page on reading is followed by its result or its error', () => {
  expect(examples).toHaveLength([...text.matchAll(/```query\n/g)].length);
});

test.each(examples)('$query', async ({ query, kind, expected }) => {
  const lines = await at.run(query);
  const [first = ''] = lines;
  // An error says its place too, which the page leaves out.
  const outcome = kind === 'result' ? lines.join('\n') : first.startsWith(`! ${expected} at `) ? expected : first;
  expect(outcome).toBe(expected);
});
