import { readdir } from 'node:fs/promises';

import type { Database } from '@svc/database';
import type { CollectionType } from '@svc/query-language';
import { parseType } from '@svc/query-language';
import { eventually } from '@svc/test-kit';

import { openTables, type TestTables } from '../testing/open-tables.ts';
import { rowsOf } from '../types/table-columns.ts';
import { scanTables } from './scan-tables.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables.close());

test.each([
  [
    'whose rows have no room on the disk',
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    /^the rows of t need more room than the disk of the spool has$/,
  ],
  ['that cannot write its rows', new Error('broken'), /^broken$/],
])('a scan %s ends while the server still sends, and leaves nothing behind', async (_, failure, message) => {
  const parsed = parseType('collection(int)');
  if ('diagnostics' in parsed) throw new Error('that is a type');
  const stored = await tables.create('t', 'collection(int)').catch(() => tables.get('t'));
  await tables.database.session((server) => server.query(`INSERT INTO ${rowsOf(stored.id)} SELECT g FROM generate_series(1, 200000) g`));
  const scanned = { table: 't', id: stored.id, type: parsed.type as CollectionType, fields: null, conditions: [], limit: null, top: null };
  const before = await readdir(tables.directory);
  const scan = scanTables(tables.database, {
    tables: [scanned],
    directory: tables.directory,
    reserve: () => {
      throw failure;
    },
    signal: new AbortController().signal,
  });
  await expect(scan).rejects.toThrow(message);
  expect(await readdir(tables.directory)).toEqual(before);
  const sending = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND state <> 'idle' AND datname = current_database()`;
  await eventually(async () => expect((await tables.database.session((server) => server.query(sending))).rows).toEqual([{ n: 0 }]));
});

test('a query that is cancelled right before its scan begins does not begin it', async () => {
  const parsed = parseType('collection(int)');
  if ('diagnostics' in parsed) throw new Error('that is a type');
  const stored = await tables.create('cancelled', 'collection(int)');
  const caller = new AbortController();
  const sent: string[] = [];
  const database: Database = {
    ...tables.database,
    transaction: (use) =>
      tables.database.transaction((at) => {
        const query = Reflect.get(at.client, 'query') as (...args: unknown[]) => unknown;
        Reflect.set(at.client, 'query', (...args: unknown[]): unknown => {
          sent.push(JSON.stringify(args[0]));
          if (sent.at(-1)?.includes('reltoastrelid') === true) caller.abort(new Error('gone'));
          return query.apply(at.client, args);
        });
        return use(at).finally(() => Reflect.set(at.client, 'query', query));
      }),
  };
  const scan = scanTables(database, {
    tables: [
      { table: 'cancelled', id: stored.id, type: parsed.type as CollectionType, fields: null, conditions: [], limit: null, top: null },
    ],
    directory: tables.directory,
    reserve: () => true,
    signal: caller.signal,
  });

  await expect(scan).rejects.toThrow('gone');
  expect(sent.some((text) => text.includes('reltoastrelid'))).toBe(true);
  expect(sent.filter((text) => text.includes('COPY'))).toEqual([]);
});

test('rows of which no field is used are counted by the server, and none is copied', async () => {
  const stored = await tables.create('counted', 'collection(record(a: int nullable, b: string nullable))');
  await tables.append(stored, Array.from({ length: 30 }, (_, i) => JSON.stringify({ a: i, b: 'x' })).join('\n'));
  const type = parseType('collection(record(a: int nullable, b: string nullable))');
  if ('diagnostics' in type) throw new Error('that is a type');
  const scan = await scanTables(tables.database, {
    tables: [{ table: 'counted', id: stored.id, type: type.type as CollectionType, fields: [], conditions: [], limit: null, top: null }],
    directory: tables.directory,
    reserve: () => {
      throw new Error('a row was copied');
    },
    signal: new AbortController().signal,
  });
  expect(scan.bytes).toBe(30);
  await scan.close();
  const nothing = '{"a":null,"b":null}';
  expect(await tables.rows(stored, { fields: [] })).toEqual(Array.from({ length: 30 }, () => nothing));
  expect(await tables.rows(stored, { fields: [], limit: 4 })).toEqual([nothing, nothing, nothing, nothing]);
  expect(await tables.rows(stored, { fields: [], limit: 0 })).toEqual([]);
});
