import type { TestTables } from './lower-over-tables.ts';

/** Small tables with NULL, repeated keys, text that is no number and nested collections; `big` and `huge` have several row groups. */
export const TEST_TABLES: TestTables = {
  people: {
    type: 'record(id: int, name: string, age: int nullable, city: string nullable)',
    sql: `SELECT * FROM (VALUES (1, 'Ann', 30, 'Lyon'), (2, 'Bob', NULL, 'Oslo'), (3, 'Cid', 30, NULL), (4, 'Dan', 20, 'Lyon')) t(id, name, age, city)`,
  },
  pets: {
    type: 'record(owner: int, pet: string)',
    sql: `SELECT * FROM (VALUES (1, 'cat'), (1, 'dog'), (3, 'eel'), (9, 'fox')) t(owner, pet)`,
  },
  texts: {
    type: 'record(id: int, s: string, ok: bool)',
    sql: `SELECT * FROM (VALUES (1, '10', true), (2, 'x', false), (3, '30', true)) t(id, s, ok)`,
  },
  orders: {
    type: 'record(id: int, items: collection(record(k: string, n: int)))',
    sql: `SELECT * FROM (VALUES (1, [{'k': 'a', 'n': 3}, {'k': 'b', 'n': 1}, {'k': 'a', 'n': 2}]), (2, []), (3, [{'k': 'c', 'n': 5}])) t(id, items)`,
  },
  big: {
    type: 'record(id: long, g: long, ps: collection(long))',
    sql: `SELECT range AS id, range % 7 AS g, [range, range + 1, range + 2] AS ps FROM range(300000)`,
  },
  huge: { type: 'record(id: long)', sql: `SELECT range AS id FROM range(1000000)` },
};
