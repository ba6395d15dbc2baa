import { readFile, rename } from 'node:fs/promises';

import type { EngineKind } from '../instances/engine-kind.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { copyToFile } from '../statements/copy-to-file.ts';
import { runStatement } from '../statements/run-statement.ts';
import { collection, nullable, primitive, record } from '../testing/types.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { writeParquetAvro, writeParquetRaw, type FileRequest } from './write-parquet.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

async function written(relationSql: string, layout: RelationLayout): Promise<unknown> {
  return writtenBy(writeParquetRaw, { relationSql, layout }, { readSql: (path) => `SELECT * FROM read_parquet('${path}')` });
}

async function writtenBy(
  write: typeof writeParquetRaw,
  request: Pick<FileRequest, 'relationSql' | 'layout'>,
  { readSql, kind }: { readonly readSql: (path: string) => string; readonly kind?: EngineKind },
): Promise<unknown> {
  const path = `${engine.spool}/out.parquet`;
  const lease = await engine.pool.lease(never, kind);
  try {
    await write(lease, { ...request, path, signal: never });
    expect((await readFile(path)).subarray(-4).toString()).toBe('PAR1');
    return await runStatement(lease, { sql: readSql(path), signal: never });
  } finally {
    await lease.release();
  }
}

it('names columns as the fields, and a bare value `value`', async () => {
  const type = record({ a: primitive('int'), A: collection(record({ x: nullable(primitive('date')) })) });
  expect(await written(`SELECT {'a': 1, 'A_2': [{'x': DATE '2020-01-01'}]} AS c1`, { kind: 'value', column: 'c1', type })).toEqual([
    { a: 1, A_2: [{ x: '2020-01-01' }] },
  ]);
  const columns = type.fields.map((field, i) => ({ name: `c${i}`, field }));
  expect(await written(`SELECT 1 AS c0, [] AS c1 UNION ALL SELECT 2, NULL`, { kind: 'columns', columns })).toEqual([
    { a: 1, A_2: [] },
    { a: 2, A_2: null },
  ]);
  expect(await written('SELECT 7 AS c', { kind: 'value', column: 'c', type: primitive('int') })).toEqual([{ value: 7 }]);
});

it('writes a file that holds nothing for no rows', async () => {
  expect(await written('SELECT 7 AS c WHERE false', { kind: 'value', column: 'c', type: primitive('int') })).toEqual([]);
});

test('decimals of Avro have 18 digits after the point, whatever their own scale is; one with more digits fails', async () => {
  const layout: RelationLayout = { kind: 'value', column: 'd', type: primitive('decimal') };
  const writtenAs = (sql: string): Promise<unknown> =>
    writtenBy(
      writeParquetAvro,
      { relationSql: `SELECT ${sql} AS d`, layout },
      { readSql: (path) => `SELECT typeof(value) AS t, value::VARCHAR AS v FROM read_parquet('${path}')` },
    );
  expect(await writtenAs('CAST(12.5 AS DECIMAL(38,2))')).toEqual([{ t: 'DECIMAL(38,18)', v: '12.500000000000000000' }]);
  expect(await writtenAs("CAST('1.0000000000000000010' AS DECIMAL(38,20))")).toEqual([{ t: 'DECIMAL(38,18)', v: '1.000000000000000001' }]);
  expect(await writtenAs('CAST(NULL AS DECIMAL(38,20))')).toEqual([{ t: 'DECIMAL(38,18)', v: null }]);
  for (const long of [
    "CAST('1e20' AS DECIMAL(38,0))",
    "CAST('1.00000000000000000010' AS DECIMAL(38,20))",
    "CAST('0.0000000000000000001' AS DECIMAL(38,38))",
  ])
    await expect(writtenAs(long)).rejects.toMatchObject({ failureClass: 'overflow', message: 'decimal overflow' });
});

describe.each([
  ['parquet-raw', writeParquetRaw],
  ['parquet-avro', writeParquetAvro],
] as const)('a long result as %s', (_, write) => {
  const columns = ['n', 't'].map((name, i) => ({ name: `c${i}`, field: { name, type: primitive(name === 'n' ? 'long' : 'string') } }));
  const layout: RelationLayout = { kind: 'columns', columns };
  const summary = (path: string): string =>
    `SELECT count(*) AS rows, count(*) FILTER (n <> file_row_number) AS moved, min(t) = max(t) AS same
     FROM read_parquet('${path}', file_row_number = true)`;
  beforeAll(() =>
    engine.withLease(async (lease) => {
      await copyToFile(lease, { sql: 'SELECT range AS n FROM range(500000)', path: `${engine.spool}/long`, signal: never });
      await rename(`${engine.spool}/long`, `${engine.root}/long.parquet`);
    }),
  );

  it.each([
    ['by one thread', 'narrow'],
    ['by an engine for anything', 'wide'],
  ] as const)('has its rows in order: %s', async (_title, kind) => {
    const relationSql = `SELECT n AS c0, 'x' AS c1 FROM read_parquet('${engine.root}/long.parquet')`;
    expect(await writtenBy(write, { relationSql, layout }, { readSql: summary, kind })).toEqual([
      { rows: '500000', moved: '0', same: true },
    ]);
  });
});
