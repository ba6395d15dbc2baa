import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { printCaseFile, readCaseFile } from '../cases/case-file.ts';
import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';

/** `REWRITE_CASES=1` writes the actual shapes: read which parts of a statement are new or missing before you commit it. */
const isRewriting = process.env['REWRITE_CASES'] !== undefined;
const FILE = join(import.meta.dirname, 'shapes.cases');
const text = await readFile(FILE, 'utf8');
const { head, cases } = readCaseFile(text);

let runner: QueryRunner;
const found = new Map<string, string>();
beforeAll(async () => {
  const tables = Object.entries(TEST_TABLES).map(([name, { type }]) => [name, { type, sql: `FROM table_${name}()` }] as const);
  runner = await openQueryRunner(Object.fromEntries(tables));
});
afterAll(async () => {
  await runner.close();
  if (isRewriting)
    await writeFile(FILE, printCaseFile({ head, cases: cases.map((one) => ({ ...one, expected: found.get(one.name) ?? one.expected })) }));
});

test.each(cases)('the statement for $name has the same shape', ({ name, text: program, expected }) => {
  const shape = shapeOf(runner.lower(program).sql);
  found.set(name, shape);
  expect(shape).toBe(isRewriting ? shape : expected);
});

const KEYWORDS =
  'SELECT WHERE GROUP ORDER LIMIT OFFSET DISTINCT JOIN LEFT RIGHT FULL LATERAL UNION INTERSECT EXCEPT CASE OVER PARTITION FILTER MATERIALIZED IN TRY_CAST';

/** Returns the shape of a statement: its clauses, functions and tables in order, without names, values and types. */
function shapeOf(sql: string): string {
  const bare = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '');
  const words = [...bare.matchAll(/\b[A-Z_]{2,}\b|\b[a-z_]+(?=\()/g)].map(([word]) => word.replace('table_', '@'));
  return words.filter((word) => KEYWORDS.split(' ').includes(word) || (/^[@a-z]/.test(word) && !word.startsWith('struct_'))).join(' ');
}
