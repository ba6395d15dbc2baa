import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime({ spoolMegabytes: 1 });
});
afterAll(() => at.close());

test('a source that breaks off while it is copied is told at the place where it is read', async () => {
  const whole = await readFile(join(import.meta.dirname, 'testing/files/null.avro'));
  await at.write('whole.avro', whole);
  await at.write('cut.avro', whole.subarray(0, -30));
  const query = 'COUNT(READ("file:whole.avro")) +\n  COUNT(READ("file:cut.avro"))';
  expect(await at.run(query)).toEqual(['! file:cut.avro: block 1: the file ends too early at READ("file:cut.avro")']);
  expect(await at.run('SELECT i FROM READ("file:whole.avro")')).toEqual(['0', '-1']);
});

test('a copy that finds no space is told at the place where it is read', async () => {
  await at.write('large.xml', `<r>${'<a>0123456789</a>'.repeat(100_000)}</r>`);
  const read = 'READ_XML("file:large.xml" AS collection(string))';
  expect(await at.run(`SELECT COUNT(*)\nFROM ${read}`)).toEqual([
    `! the query needs more spool space than is left of the 1 MB that queries may use at ${read}`,
  ]);
});
