import { SQL } from '../sql/sql.ts';
import { primitive } from '../testing/types.ts';
import { copyToFile } from '../statements/copy-to-file.ts';
import { runStatement } from '../statements/run-statement.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { fileRowsSql } from './file-rows.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

test('row groups are written one after the other', async () => {
  const columns = [{ name: 'n', expression: SQL`r.n`, type: primitive('long') }];
  const path = `${engine.spool}/read.parquet`;
  await engine.withLease((lease) => copyToFile(lease, { sql: 'SELECT range AS n FROM range(200000)', path, signal: never }));
  const rows = fileRowsSql(`SELECT n FROM read_parquet('${path}')`, { columns, form: { names: () => [], leaf: () => null } });
  const plan = await engine.withLease((lease) =>
    runStatement(lease, { sql: `EXPLAIN COPY (${rows}) TO '${engine.spool}/rows.parquet' (FORMAT parquet)`, signal: never }),
  );
  expect(JSON.stringify(plan)).toMatch(/(?<!BATCH_)COPY_TO_FILE/);
});
