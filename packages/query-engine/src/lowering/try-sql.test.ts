import type { Plan } from '@svc/query-language';
import { int } from '@svc/query-language';

import { sqlText } from '../sql/print-sql.ts';
import { columnRef, SQL } from '../sql/sql.ts';
import { NO_HOISTED_COLUMNS } from './hoisted-columns.ts';
import { createScope, type Binding } from './scope.ts';
import { trySql } from './try-sql.ts';

const span = { start: 0, end: 0 };
const rowType = { kind: 'RecordType', isNullable: false, fields: ['a', 'b'].map((name) => ({ name, type: int })) } as const;
const row: Plan = { kind: 'Variable', type: rowType, span, id: 1 };
const field: Plan = { kind: 'Field', type: int, span, target: row, index: 1 };
const scopeOf = (binding: Binding) => createScope(NO_HOISTED_COLUMNS, new Map([[1, binding]]));

describe('the engine cannot move a TRY before its rows', () => {
  it.each([
    ['a column of a reader', field, { kind: 'row', columns: [columnRef('r1'), columnRef('r2')], present: null }, 'r2'],
    ['a column', row, { kind: 'column', sql: columnRef('c7') }, 'c7'],
  ] as const)('of %s', (_, plan, binding, column) => {
    expect(sqlText(trySql(SQL`f()`, plan, scopeOf(binding)))).toBe(
      `list_extract(TRY([CASE WHEN hash(${column}) IS NOT NULL THEN f() END]), 1)`,
    );
  });

  it('of no column', () => {
    const constant: Plan = { kind: 'Constant', type: int, span, value: '1' };
    expect(sqlText(trySql(SQL`f(c1)`, constant, scopeOf({ kind: 'column', sql: columnRef('c7') })))).toBe(
      'list_extract(TRY(list_transform([0], lambda tried_row: f(c1))), 1)',
    );
  });
});
