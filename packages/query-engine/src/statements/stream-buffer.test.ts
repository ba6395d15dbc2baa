import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { runStatement } from './run-statement.ts';
import { countedRows } from './stream-buffer.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

const rows = (...lengths: readonly number[]): string => `SELECT repeat('x', n) AS line FROM unnest([${lengths.join(', ')}]) AS t(n)`;
const run = (sql: string) => engine.withLease((lease) => runStatement(lease, { sql, signal: never }));

test('beside a text that is counted stands a list of a fifth of its bytes', async () => {
  const lengths = `SELECT strlen(line)::INTEGER AS n, (len(counted) * 8)::INTEGER AS counted FROM (${countedRows(rows(200, 201, 8000))})`;
  expect(await run(lengths)).toEqual([
    { n: 200, counted: null },
    { n: 201, counted: 40 },
    { n: 8000, counted: 1600 },
  ]);
});
