import { readFile } from 'node:fs/promises';

import type { RelationLayout } from '../representation/relation-layout.ts';
import { runStatement } from '../statements/run-statement.ts';
import { collection, nullable, primitive, record } from '../testing/types.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { writeParquetRaw } from './write-parquet.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

async function written(relationSql: string, layout: RelationLayout): Promise<unknown> {
  const path = `${engine.spool}/out.parquet`;
  return engine.withLease(async (lease) => {
    await writeParquetRaw(lease, { relationSql, layout, path, signal: never });
    expect((await readFile(path)).subarray(-4).toString()).toBe('PAR1');
    return runStatement(lease, { sql: `SELECT * FROM read_parquet('${path}')`, signal: never });
  });
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
