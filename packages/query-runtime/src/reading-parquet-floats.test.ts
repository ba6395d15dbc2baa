import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

/**
 * `nan.parquet` was written by pyarrow 26, whose statistics exclude NaN as the format specifies: minimum and maximum of a
 * column with 1 and NaN are 1. The engine's own writer writes no statistics if there is a NaN.
 */
const FILES = join(import.meta.dirname, 'testing/files');

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
  await at.write('nan.parquet', await readFile(join(FILES, 'nan.parquet')));
  const values = (type: string): string => `CASE WHEN range % 2 = 0 THEN -'NaN'::${type} ELSE '-0.0'::${type} END`;
  // Many rows of few values: the engine's writer adds a Bloom filter.
  await at.makeParquet('bloom.parquet', `SELECT ${values('DOUBLE')} AS d, ${values('FLOAT')} AS e FROM range(5000)`);
  await at.makeParquet('plain.parquet', `SELECT range::DOUBLE AS d, {'x': range::DOUBLE} AS s FROM range(5000)`);
});
afterAll(() => at.close());

const NAN = 'READ("file:nan.parquet")';

describe('statistics of a file do not decide about NaN', () => {
  test.each([
    ['f > 5', 'f <= 5'],
    ['g > 5', 'g <= 5'],
    ['h > 5', 'h <= 5'],
    ['s.x > 5', 's.x <= 5'],
    ['s.t.y > 5', 's.t.y <= 5'],
    ['l[0] > 5', 'l[0] <= 5'],
    ['r[0].x > 5', 'r[0].x <= 5'],
    ['l > [5.0]', 'l <= [5.0]'],
    ['s > (x: 5.0, t: (y: 1.0))', 's <= (x: 5.0, t: (y: 1.0))'],
    ['f = NaN', 'f <> NaN'],
    ['IS_NAN(f)', 'NOT IS_NAN(f)'],
    ['f NOT BETWEEN 0 AND 5', 'f BETWEEN 0 AND 5'],
    ['f NOT IN (1.0, 2.0)', 'f IN (1.0, 2.0)'],
    ['f + 1 > 5', 'f + 1 <= 5'],
    ['EXISTS(SELECT y FROM n.l y WHERE y > 5)', 'EXISTS(SELECT y FROM n.l y WHERE y <= 5)'],
    ['LEN(FILTER(n.l, \\(y) -> y > 5)) = 1', 'ANY(n.r, \\(y) -> y.x <= 5)'],
  ])('%s finds NaN, %s does not', async (found, other) => {
    expect(await at.run(`SELECT n.id FROM ${NAN} n WHERE ${found}`)).toEqual(['2']);
    expect(await at.run(`SELECT n.id FROM ${NAN} n WHERE ${other}`)).toEqual(['1']);
    expect(await at.run(`SELECT ${found} FROM ${NAN} n`)).toEqual(['false', 'true']);
    expect(await at.run(`SELECT COUNT(*) FILTER (WHERE ${found}) FROM ${NAN} n`)).toEqual(['1']);
    expect(await at.run(`SELECT CASE WHEN ${found} THEN n.id ELSE 0 END FROM ${NAN} n`)).toEqual(['0', '2']);
  });

  test.each([
    ['MAX(f) > 5', ['true']],
    ['IS_NAN(MAX(f)) AND IS_NAN(MAX(g)) AND IS_NAN(MAX(s.x)) AND IS_NAN(MAX(s.t.y))', ['true']],
    ['MIN(f)', ['1.0']],
    ['MAX(f) FILTER (WHERE f <= 5)', ['1.0']],
    ['IS_NAN(GREATEST(MAX(f), 5.0))', ['true']],
    ['COUNT_DISTINCT(f)', ['2']],
  ])('%s', async (item, lines) => {
    expect(await at.run(`SELECT ${item} FROM ${NAN}`)).toEqual(lines);
  });

  test.each([
    [`SELECT a.id, b.id AS other FROM ${NAN} a JOIN ${NAN} b ON a.f = b.f`, ['{"id":1,"other":1}', '{"id":2,"other":2}']],
    [`SELECT a.id FROM ${NAN} a JOIN [NaN, 7.0] v ON a.f = v`, ['2']],
    [`SELECT a.id FROM ${NAN} a JOIN [NaN, 7.0] v ON a.s.x = v`, ['2']],
    [`SELECT a.id FROM ${NAN} a JOIN [5.0] v ON a.f > v`, ['2']],
    [`SELECT id FROM ${NAN} ORDER BY f DESC LIMIT 1`, ['2']],
    [`SELECT id FROM READ("file:nan.parquet" AS collection(record(id: int, f: double nullable))) WHERE f > 5`, ['2']],
    [`SELECT id FROM READ("file:nan.parquet" AS collection(record(id: int, g: double nullable))) WHERE g > 5`, ['2']],
    [`SELECT id FROM READ("file:nan.parquet" AS collection(record(id: int, s: record(x: double nullable) nullable))) WHERE s.x > 5`, ['2']],
    [`SELECT id FROM READ("file:nan.parquet" AS collection(record(id: int, f: long nullable)), on_error := "null") WHERE f IS NULL`, ['2']],
    [`SELECT id FROM READ("file:nan.parquet" AS collection(record(id: int, f: decimal nullable)), on_error := "skip")`, ['1']],
    [`SELECT id, COUNT(*) AS n FROM ${NAN} GROUP BY id HAVING MAX(f) > 5`, ['{"id":2,"n":1}']],
  ])('%s', async (query, lines) => {
    expect((await at.run(query)).toSorted()).toEqual(lines);
  });

  it('nor invents a NaN where there is none', async () => {
    const plain = 'READ("file:plain.parquet")';
    expect(await at.run(`SELECT MAX(d) AS d, MIN(d) AS least, MAX(s.x) AS x FROM ${plain}`)).toEqual([
      '{"d":4999.0,"least":0.0,"x":4999.0}',
    ]);
    expect(await at.run(`SELECT COUNT(*) FROM ${plain} WHERE d < NaN AND s.x < NaN`)).toEqual(['5000']);
  });
});

describe('nor a Bloom filter about zeros and NaN', () => {
  test.each([
    ['d = 0', '2500'],
    ['e = 0', '2500'],
    ['d = NaN', '2500'],
    ['e = NaN', '2500'],
    ['d IN (0.0, 7.0)', '2500'],
  ])('%s', async (condition, count) => {
    expect(await at.run(`SELECT COUNT(*) FROM READ("file:bloom.parquet") WHERE ${condition}`)).toEqual([count]);
  });

  it('in a join either', async () => {
    expect(await at.run('SELECT COUNT(*) FROM READ("file:bloom.parquet") b JOIN [0.0] z ON b.d = z')).toEqual(['2500']);
    expect(await at.run('SELECT COUNT(*) FROM READ("file:bloom.parquet") b JOIN [NaN] z ON b.d = z')).toEqual(['2500']);
  });
});
