import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

const VALUES = [
  null,
  1,
  -1.5,
  1e300,
  '7',
  'x',
  '',
  true,
  [],
  {},
  [null],
  ['x'],
  [1, 2],
  [{ q: 1 }],
  [{ q: 'x', s: 'y' }, {}],
  { q: 2 },
  { q: null, s: 'z' },
  '2026-01-02',
  'aGk=',
];

const TYPES = [
  'int',
  'long nullable',
  'double',
  'decimal',
  'bool nullable',
  'string',
  'date',
  'timestamp nullable',
  'time',
  'binary',
  'interval',
  'any',
  'any nullable',
  'collection(int)',
  'collection(string nullable) nullable',
  'collection(any)',
  'record(q: int)',
  'record(q: int nullable, s: string nullable) nullable',
  'collection(record(q: int, s: string nullable))',
  'collection(collection(int) nullable)',
  'record(s: string, S: int) nullable',
];

/** Whether a value is converted where all rows are read, and left out here: TRUE as a double, numbers as a bool. */
function isConverted(value: unknown, type: string): boolean {
  return (type === 'double' && typeof value === 'boolean') || (type.startsWith('bool') && typeof value === 'number' && value !== 1);
}

test.each(TYPES)('on_error := "skip" keeps the documents that can be read by themselves: %s', async (type) => {
  const documents = [{}, ...VALUES.filter((value) => !isConverted(value, type)).map((v) => ({ v }))].map((document, i) =>
    JSON.stringify({ id: i, ...document }),
  );
  const read = (file: string, more = ''): string => `READ("file:${file}" AS collection(record(id: int, v: ${type}))${more})`;
  const alone: string[] = [];
  for (const document of documents) {
    await at.write('one.ndjson', `${document}\n`);
    const lines = await at.run(read('one.ndjson'));
    alone.push(...lines.filter((line) => !line.startsWith('!')));
  }
  await at.write('all.ndjson', documents.map((document) => `${document}\n`).join(''));
  expect(await at.run(read('all.ndjson', ', on_error := "skip"'))).toEqual(alone);
  await at.write('all.json', `[${documents.join(',')}]`);
  expect(await at.run(read('all.json', ', on_error := "skip"'))).toEqual(alone);
});

test('rows that are no records are skipped too', async () => {
  await at.write('values.json', '[[1, 2], [3, "x"], 4, null, [5], {"a": 6}]');
  expect(await at.run('READ("file:values.json" AS collection(collection(int)), on_error := "skip")')).toEqual(['[1,2]', '[5]']);
});

// One at a time they would take minutes.
test('a row in a hundred that cannot be read costs no more than others', async () => {
  const items = [{ sku: 'a', price: '1.5', at: '2026-01-01T00:00:00' }];
  const rows = Array.from({ length: 100_000 }, (_, id) =>
    JSON.stringify({ id, items: id % 100 === 7 ? [{ sku: 'a', price: 'much' }] : items }),
  );
  await at.write('many.ndjson', rows.join('\n'));
  const type = 'collection(record(id: long, items: collection(record(sku: string, price: decimal, at: timestamp))))';
  expect(await at.run(`SELECT COUNT(*) FROM READ("file:many.ndjson" AS ${type}, on_error := "skip")`)).toEqual(['99000']);
});
