import { createNetworkGuard } from '@svc/network-guard';
import { NO_CREDENTIALS } from '@svc/sources';
import { adminQuery, createRandom, createTestDatabase, serverOf, type TestDatabase } from '@svc/test-kit';

import { randomQuery } from './testing/random-sql/random-query.ts';
import { rowsOfTable, SQL_TABLES } from './testing/random-sql/sql-tables.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

/** More of them, and others: `SVC_RANDOM_QUERIES=3000 SVC_RANDOM_SEED=7`. */
const COUNT = Number(process.env['SVC_RANDOM_QUERIES'] ?? 120);
const SEED = Number(process.env['SVC_RANDOM_SEED'] ?? 1);
/** Number of the first query: runs a reported fault again alone, with `SVC_RANDOM_QUERIES=1`. */
const FIRST = Number(process.env['SVC_RANDOM_FIRST'] ?? 0);
const MOST_FAULTS = 3;

let database: TestDatabase;
let at: ReadingRuntime;
const names = Object.keys(SQL_TABLES) as readonly (keyof typeof SQL_TABLES)[];

beforeAll(async () => {
  database = await createTestDatabase();
  const server = { ...serverOf(database.url), properties: {}, identity: '1' };
  at = await openReadingRuntime({
    reach: {
      networkGuard: createNetworkGuard({ allow: ['127.0.0.1', '::1'] }),
      credentials: { ...NO_CREDENTIALS, databaseServer: async () => server },
    },
  });
  await adminQuery(database.url, ...names.map((name) => `CREATE TABLE ${name} AS ${rowsOfTable(name)}`));
  for (const name of names) await at.makeParquet(`${name}.parquet`, rowsOfTable(name));
});
afterAll(async () => {
  await at.close();
  await database.drop();
});

/** How the language reads the tables. From PostgreSQL it fetches the rows that the query needs. */
const SOURCES = [
  ['Parquet', (name: string) => `READ("file:${name}.parquet")`],
  ['PostgreSQL', (name: string) => `READ_PGSQL("shop", "public", "${name}")`],
] as const;

/** The rows of PostgreSQL as JSON; null where it fails. */
async function rowsOfPostgres(query: string): Promise<readonly string[] | null> {
  const found = await adminQuery(database.url, `SELECT row_to_json(q)::text AS row FROM (${query}) q`).catch(() => null);
  return found?.map(({ row }) => comparable(String(row))) ?? null;
}

/** A row as its values: floating numbers with the digits that do not depend on the order of a sum, times without trailing zeros. */
function comparable(row: string): string {
  const values = Object.values(JSON.parse(row) as Readonly<Record<string, unknown>>);
  return JSON.stringify(
    values.map((value) => {
      if (typeof value === 'number') return Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(9));
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? value.replace(/\.0+$/, '') : value;
    }),
  );
}

test.each(SOURCES)(
  `${COUNT} random queries of seed ${SEED} from number ${FIRST} on have the rows that PostgreSQL has: tables of %s`,
  async (_, read) => {
    const declarations = names.map((name) => `${name} := ${read(name)};\n`).join('');
    const faults: string[] = [];
    let failed = 0;
    for (let i = FIRST; i < FIRST + COUNT && faults.length < MOST_FAULTS; i += 1) {
      const { text, isOrdered } = randomQuery(createRandom(SEED * 1_000_003 + i));
      const expected = await rowsOfPostgres(text);
      const lines = await at.run(declarations + text);
      if (expected === null) failed += 1;
      const message = lines.find((line) => line.startsWith('!'));
      if (message !== undefined) {
        if (expected !== null) faults.push(`query ${i}: ${message}\n${text}`);
        continue;
      }
      const found = lines.map(comparable);
      const [ours, theirs] = isOrdered ? [found, expected ?? []] : [found.toSorted(), (expected ?? []).toSorted()];
      const place = ours.findIndex((row, k) => row !== theirs[k]);
      if (expected === null || (ours.length === theirs.length && place < 0)) continue;
      faults.push(
        `query ${i}: ${theirs.length} rows, ${ours.length} here; the first other one: ${theirs[place]}, here ${ours[place]}\n${text}`,
      );
    }
    expect(faults).toEqual([]);
    // What PostgreSQL refuses proves nothing.
    expect(failed).toBeLessThan(COUNT * 0.1 + 1);
  },
  60_000 + COUNT * 1000,
);
