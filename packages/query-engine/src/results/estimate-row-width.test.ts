import { columnRef, SQL } from '../sql/sql.ts';
import { collection, primitive } from '../testing/types.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { estimateRowWidth } from './estimate-row-width.ts';
import type { FileColumn } from './file-rows.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

const column = (name: string, type: FileColumn['type']): FileColumn => ({ name, expression: SQL`r.${columnRef(name)}`, type });
const long = column('n', primitive('long'));
const text = column('t', primitive('string'));
const binary = column('b', primitive('binary'));
/** Far longer than needed, also on a busy machine. */
const PATIENT_MILLIS = 250_000;
const ask = (columns: readonly FileColumn[], relationSql: string, { signal = never, sampleMillis = PATIENT_MILLIS } = {}) =>
  engine.withLease((lease) => estimateRowWidth(lease, { columns, rowsSql: `FROM (${relationSql}) AS r`, signal, sampleMillis }));
const rows = (texts: string, count = 50_000): string => `SELECT range AS n, ${texts} AS t, encode(${texts}) AS b FROM range(${count})`;

test('rows are short up to 100 bytes on average', async () => {
  expect(await ask([long, text], rows(`repeat('x', 92)`))).toBe('short');
  expect(await ask([long, text], rows(`repeat('x', 93)`))).toBe('long');
  expect(await ask([text, binary], rows(`repeat('x', 50)`))).toBe('short');
  expect(await ask([text, binary], rows(`repeat('x', 51)`))).toBe('long');
  expect(await ask([text], rows('CAST(NULL AS VARCHAR)'))).toBe('short');
});

test('columns of fixed length need no rows', async () => {
  const never = `SELECT error('read') AS n`;
  expect(
    await ask(
      Array.from({ length: 12 }, () => long),
      never,
    ),
  ).toBe('short');
  expect(
    await ask(
      Array.from({ length: 13 }, () => long),
      never,
    ),
  ).toBe('long');
});

test('rows are long if one of the first is very long, or nested', async () => {
  expect(await ask([text], rows(`CASE WHEN range = 2000 THEN repeat('x', 2000) ELSE '' END`))).toBe('short');
  expect(await ask([text], rows(`CASE WHEN range = 2000 THEN repeat('x', 2001) ELSE '' END`))).toBe('long');
  expect(await ask([long, column('l', collection(primitive('int')))], 'SELECT 1 AS n, [1] AS l')).toBe('long');
});

test('rows are long if the first are late, fail, or do not exist', async () => {
  const late = `SELECT 'x' AS t FROM range(1000000000) a, range(1000000000) b WHERE a.range = b.range + 1`;
  expect(await ask([text], late, { sampleMillis: 100 })).toBe('long');
  expect(await ask([text], rows(`CASE WHEN range = 9 THEN error('no') ELSE '' END`))).toBe('long');
  expect(await ask([text], rows(`''`, 0))).toBe('long');
});

test('an aborted signal interrupts the estimate', async () => {
  await expect(ask([text], rows(`'x'`), { signal: AbortSignal.abort(new Error('gone')) })).rejects.toMatchObject({
    failureClass: 'interrupted',
  });
});
