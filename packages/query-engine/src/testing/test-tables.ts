import type { TestTables } from './lower-over-tables.ts';

/** Small tables with NULL, repeated keys, non-numeric text and nested collections; `big` and `huge` have several row groups. */
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
  emp: {
    type: 'record(id: int, name: string, dept: string, city: string nullable, salary: int, bonus: int nullable, hired: date)',
    sql: `SELECT * FROM (VALUES (1, 'Ann', 'it', 'Lyon', 500, NULL, DATE '2020-03-01'), (2, 'Bob', 'it', 'Oslo', 300, 20, DATE '2021-06-15'),
      (3, 'Cid', 'hr', NULL, 400, NULL, DATE '2021-01-10'), (4, 'Dan', 'hr', 'Lyon', 250, 5, DATE '2022-11-30'),
      (5, 'Eve', 'pr', 'Oslo', 350, 30, DATE '2020-07-07')) t(id, name, dept, city, salary, bonus, hired)`,
  },
  events: {
    type: 'record(id: int, kind: string, moment: timestamp)',
    sql: `SELECT * FROM (VALUES (1, 'a', TIMESTAMP '2024-01-01 09:00:00'), (2, 'a', TIMESTAMP '2024-01-01 09:20:00'),
      (3, 'b', TIMESTAMP '2024-01-01 11:00:00'), (5, 'a', TIMESTAMP '2024-01-01 23:00:00'), (6, 'b', TIMESTAMP '2024-02-02 08:00:00')) t(id, kind, moment)`,
  },
  prices: {
    type: 'record(kind: string, moment: timestamp, price: int)',
    sql: `SELECT * FROM (VALUES ('a', TIMESTAMP '2024-01-01 09:10:00', 10), ('a', TIMESTAMP '2024-01-01 20:00:00', 12),
      ('b', TIMESTAMP '2024-01-01 11:00:00', 450)) t(kind, moment, price)`,
  },
  big: {
    type: 'record(id: long, g: long, ps: collection(long))',
    sql: `SELECT range AS id, range % 7 AS g, [range, range + 1, range + 2] AS ps FROM range(300000)`,
  },
  huge: { type: 'record(id: long)', sql: `SELECT range AS id FROM range(1000000)` },
};
