import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FUNCTIONS } from './find-function.ts';
import { printReference } from './print-reference.ts';

const FILE = join(import.meta.dirname, '../../../../docs/functions.md');

/** `npx pnpm docs:functions` writes the file. */
const isRewriting = process.env['REWRITE_CASES'] !== undefined;

test('docs/functions.md says what the records say', async () => {
  const printed = printReference(FUNCTIONS);
  if (isRewriting) await writeFile(FILE, printed);
  expect(await readFile(FILE, 'utf8')).toBe(printed);
});

test('no name is defined twice, and every record says what it does in a sentence', () => {
  const names = FUNCTIONS.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  expect(FUNCTIONS.filter(({ summary }) => !/^["\-\p{L}\d].*\.$/su.test(summary)).map(({ name }) => name)).toEqual([]);
});
