import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import type { RecordType, Type } from '@svc/query-language';
import type { CsvDialect } from '@svc/text-formats';

import { readBack } from '../testing/read-back.ts';
import { collection, nullable, primitive, record } from '../testing/types.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { locateMisread } from './locate-misread.ts';
import type { CsvReadPlan, JsonFileLayout, JsonReadPlan, OnError, ReadFile, ReadPlan } from './read-plan.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

let count = 0;
async function files(...contents: readonly (string | Uint8Array)[]) {
  return Promise.all(
    contents.map(async (content) => {
      const name = `${++count}`;
      await writeFile(`${engine.root}/${name}`, content);
      return { path: `${engine.root}/${name}`, location: `file:${name}` };
    }),
  );
}

const locate = (plan: ReadPlan, column: string | null) =>
  engine.withLease((lease) => locateMisread(lease, plan, { column, signal: never }));

/** A plan of CSV files with the columns of a record. */
const csvPlan = (found: readonly ReadFile[], rowType: RecordType, dialect: Partial<CsvDialect> = {}): CsvReadPlan => ({
  kind: 'csv',
  files: found,
  dialect: { delimiter: ',', quote: '"', escape: '"', hasHeader: true, skip: 0, nulls: [''], encoding: null, ...dialect },
  columns: rowType.fields.map(({ name }) => ({ name, type: nullable(primitive('string')) })),
  fields: rowType.fields.map((field, column) => ({ field, column })),
  isTrusted: false,
  areIntegersWhole: false,
  fileColumns: [],
  onError: 'fail',
  compression: null,
});

/** A plan of one JSON file. */
const jsonPlan = (found: readonly ReadFile[], rowType: Type, layout: JsonFileLayout, onError: OnError = 'fail'): JsonReadPlan => ({
  kind: 'json',
  files: found,
  layouts: [layout],
  rowType,
  isCollection: true,
  isTrusted: false,
  areIntegersWhole: false,
  fileColumns: [],
  onError,
  compression: null,
  countedAs: 'line',
  isClosed: false,
  maxObjectBytes: 2 ** 24,
});

const rowType = record({ a: nullable(primitive('int')), b: nullable(primitive('string')) });

it('finds the line of a cell behind quoted line breaks and blank lines, in whichever file', async () => {
  const found = await files('a,b\n1,x\n', 'a,b\n1,"x\ny"\n\n2,z\n1.5,w\n');
  const plan = csvPlan(found, rowType);
  expect(await locate(plan, 'a')).toEqual({ location: found[1]?.location, place: 'line 6', message: "column a: '1.5' is no int" });
  expect(await locate(plan, 'b')).toBeNull();
});

it('counts skipped lines, and lines of compressed files', async () => {
  const found = await files(gzipSync('about\nthis\na;b\n1;"x""y"\nz;3\n'));
  const plan: ReadPlan = { ...csvPlan(found, rowType, { skip: 2, delimiter: ';' }), compression: 'gzip' };
  expect(await locate(plan, 'a')).toMatchObject({ place: 'line 5' });
});

it('finds the line of a document, and the element of an array', async () => {
  const type = record({ p: record({ n: primitive('int') }), q: nullable(primitive('int')) });
  const [lines, array] = [await files('{"p":{"n":1}}\n\n{"p":{}}\n'), await files('[{"p":{"n":1}},{"p":{"n":2}},{"p":{"n":"x"}}]')];
  const [ofLines, ofArray] = [jsonPlan(lines, type, 'newline_delimited'), jsonPlan(array, type, 'array')];
  expect(await locate(ofLines, 'p')).toMatchObject({ place: 'line 3' });
  expect(await locate(ofArray, 'p')).toMatchObject({ place: 'element 3' });
  expect(await locate(ofArray, 'q')).toBeNull();
  await expect(readBack(engine, ofLines)).rejects.toMatchObject({
    sourceColumn: 'p',
    message: 'p.n: missing or null, and the type is not nullable',
  });
});

it('leaves out the documents that cannot be read', async () => {
  const type = record({ n: primitive('int'), l: nullable(collection(primitive('int'))) });
  const found = await files('{"n":1,"l":[1]}\n{"n":"x"}\nnonsense\n{"l":[2]}\n{"n":4,"l":["y"]}\n{"n":5}\n');
  const plan = jsonPlan(found, type, 'newline_delimited', 'skip');
  expect(await readBack(engine, plan)).toEqual(['{"n":1,"l":[1]}', '{"n":5,"l":null}']);
  expect(await readBack(engine, plan, ['n'])).toEqual(['{"n":1}', '{"n":5}']);
});
