import { createRandom, type Random } from '@svc/test-kit';

import type { SqlType } from './sql-generator.ts';

/** A table for PostgreSQL and the engine alike. */
interface SqlTable {
  readonly columns: Readonly<Record<string, SqlType>>;
  /** Types in SQL, in the order of the columns. */
  readonly sqlTypes: readonly string[];
  readonly rows: number;
}

const R = {
  columns: { id: 'int', tid: 'int', k: 'text', v: 'int', w: 'decimal', dd: 'date', g: 'bool' },
  sqlTypes: ['integer', 'integer', 'text', 'integer', 'numeric(8,3)', 'date', 'boolean'],
} as const;

/** Two tables and an empty one. All columns but `id` may be NULL. */
export const SQL_TABLES: Readonly<Record<'t' | 'r' | 'z', SqlTable>> = {
  t: {
    columns: { id: 'int', a: 'int', b: 'int', s: 'text', u: 'text', d: 'date', ts: 'timestamp', x: 'double', n: 'decimal', f: 'bool' },
    sqlTypes: ['integer', 'integer', 'bigint', 'text', 'text', 'date', 'timestamp', 'float8', 'numeric(10,2)', 'boolean'],
    rows: 20,
  },
  r: { ...R, rows: 15 },
  z: { ...R, rows: 0 },
};

const VALUES: Readonly<Record<SqlType, (random: Random) => string>> = {
  int: (random) => String(random.below(12) - 3),
  text: (random) => `'${random.pick(['a', 'b', 'Ann', '', 'a b', 'bann', 'ete', 'zz'])}'`,
  date: (random) => `'2024-0${1 + random.below(3)}-${10 + random.below(19)}'`,
  timestamp: (random) => `'2024-0${1 + random.below(3)}-${10 + random.below(19)} 0${random.below(10)}:04:05'`,
  // Quarters: sums of them are exact in any order.
  double: (random) => String((random.below(40) - 8) / 4),
  decimal: (random) => ((random.below(2000) - 500) / 100).toFixed(2),
  bool: (random) => random.pick(['TRUE', 'FALSE']),
};

/** Returns a query of a table's rows; the same at each call. */
export function rowsOfTable(name: keyof typeof SQL_TABLES): string {
  const { columns, sqlTypes, rows } = SQL_TABLES[name];
  const random = createRandom(name.charCodeAt(0));
  const types = Object.values(columns);
  const row = (id: number): string => {
    const cells = types.map((type, i) => (i === 0 ? String(id) : random.below(100) < 18 ? 'NULL' : VALUES[type](random)));
    return `(${cells.map((cell, i) => `CAST(${cell} AS ${sqlTypes[i]})`).join(', ')})`;
  };
  const values = Array.from({ length: Math.max(1, rows) }, (_, i) => row(i + 1));
  return `SELECT * FROM (VALUES ${values.join(', ')}) AS one (${Object.keys(columns).join(', ')})${rows === 0 ? ' WHERE FALSE' : ''}`;
}
