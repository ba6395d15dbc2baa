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
  column('code', 'bpchar'),
  column('pair', null, { isComposite: true }),
];

function sqlOf(needs: Partial<RowNeeds>, { isUtf8 = true, rows = TABLE } = {}): string {
  const columns = toldColumns(
    COLUMNS.map((described) => pgColumn(described, { isUtf8 })),
    null,
  );
  return selectRows(rows, columns, { needs: { fields: [0], conditions: [], limit: null, ...needs }, width: COLUMNS.length }).sql;
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
