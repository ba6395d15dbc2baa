import type { RowNeeds } from '../../resolved-read.ts';
import type { PgRows } from './describe-rows.ts';
import { pgColumn, type DescribedColumn } from './pg-column.ts';
import { selectRows } from './select-rows.ts';
import { toldColumns } from './told-columns.ts';

const TABLE: PgRows = { kind: 'table', schema: 'a"b', table: 't' };

function column(name: string, typeName: string | null, rest: Partial<DescribedColumn> = {}): DescribedColumn {
  return { name, written: typeName ?? name, typeName, elementName: null, modifier: -1, isComposite: false, isRequired: false, ...rest };
}

const COLUMNS = [
  column('id', 'int8'),
  column('name', 'text'),
  column('at', 'timestamptz'),
  column('code', 'uuid'),
  column('pair', null, { isComposite: true }),
];

function sqlOf(needs: Partial<RowNeeds>, { isUtf8 = true, rows = TABLE } = {}): string {
  const columns = toldColumns(
    COLUMNS.map((described) => pgColumn(described, { isUtf8 })),
    null,
  );
  return selectRows(rows, columns, { needs: { fields: [0], conditions: [], limit: null, top: null, ...needs }, width: COLUMNS.length }).sql;
}

const FROM = 'FROM "a""b"."t" AS q (c1, c2, c3, c4, c5)';

test('only the needed columns are selected, and none where rows are counted', () => {
  expect(sqlOf({ fields: [1, 3] })).toBe(`SELECT q.c2, q.c4, 1 ${FROM}`);
  expect(sqlOf({ fields: [] })).toBe(`SELECT 1 ${FROM}`);
});

test('conditions and limit mean the same on the server', () => {
  const conditions = [
    { kind: 'compare', field: 0, operator: '<', value: '7', constant: { type: 'int', text: '7' } },
    { kind: 'in', field: 1, values: [`'a'`, `'$x $v'`], constants: [] },
    {
      kind: 'compare',
      field: 2,
      operator: '>=',
      value: `timestamp '2024-01-01'`,
      constant: { type: 'timestamp', text: '2024-01-01' },
    },
    { kind: 'null', field: 3, isNull: false },
  ] as const;
  expect(sqlOf({ conditions, limit: 5 })).toBe(
    `SELECT q.c1, 1 ${FROM} WHERE q.c1 < 7 AND q.c2 COLLATE "C" IN ('a', '$x $v') AND q.c3 >= (timestamp '2024-01-01' AT TIME ZONE 'UTC') ` +
      'AND q.c4 IS NOT NULL LIMIT 5',
  );
});

test('of several conditions, what the server knows of each is asked, or nothing', () => {
  const compare = (field: number, value: string) =>
    ({ kind: 'compare', field, operator: '=', value, constant: { type: 'string', text: value } }) as const;
  const any = { kind: 'any', alternatives: [[compare(0, '1')], [compare(1, `'a'`), compare(3, '2')]] } as const;
  expect(sqlOf({ conditions: [any], limit: 5 })).toBe(`SELECT q.c1, 1 ${FROM} WHERE ((q.c1 = 1) OR (q.c2 COLLATE "C" = 'a'))`);
  expect(sqlOf({ conditions: [{ kind: 'any', alternatives: [[compare(0, '1')], [compare(3, '2')]] }], limit: 5 })).toBe(
    `SELECT q.c1, 1 ${FROM}`,
  );
});

test('the first rows in an order are asked for where the server orders alike', () => {
  const key = (field: number) => ({ field, isDescending: true, areNullsFirst: false });
  expect(sqlOf({ top: { rows: 3, order: [key(1), key(2)] } })).toBe(
    `SELECT q.c1, 1 ${FROM} ORDER BY q.c2 COLLATE "C" DESC NULLS LAST, q.c3 DESC NULLS LAST LIMIT 3`,
  );
  expect(sqlOf({ top: { rows: 3, order: [key(1), key(3)] } })).toBe(`SELECT q.c1, 1 ${FROM}`);
});

test('what may mean something else on the server stays here, and the limit with it', () => {
  const compare = (field: number) =>
    ({ kind: 'compare', field, operator: '=', value: `'x'`, constant: { type: 'string', text: 'x' } }) as const;
  expect(sqlOf({ conditions: [compare(3)], limit: 5 })).toBe(`SELECT q.c1, 1 ${FROM}`);
  expect(sqlOf({ conditions: [compare(1)], limit: 5 }, { isUtf8: false })).toBe(`SELECT q.c1, 1 ${FROM}`);
  expect(sqlOf({ conditions: [{ kind: 'null', field: 4, isNull: true }], limit: 5 })).toBe(`SELECT q.c1, 1 ${FROM}`);
});

test('the SQL of a query stands in brackets of its own', () => {
  expect(sqlOf({}, { rows: { kind: 'query', sql: 'SELECT 1 -- one ;\n ; ' } })).toBe(
    'SELECT q.c1, 1 FROM (SELECT 1 -- one ;\n ;'.replace(/[\s;]+$/, '') + '\n) AS q (c1, c2, c3, c4, c5)',
  );
});
