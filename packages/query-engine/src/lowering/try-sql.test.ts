import { sqlText } from '../sql/print-sql.ts';
import { columnRef, SQL } from '../sql/sql.ts';
import { createScope } from './scope.ts';
import { trySql } from './try-sql.ts';

const added: string[] = [];
const hoisted = {
  columns: [],
  add: (sql: ReturnType<typeof SQL>) => {
    added.push(sqlText(sql));
    return columnRef('c1');
  },
};

describe('the engine cannot move a TRY before its rows', () => {
  it('whatever it uses: it is behind a column that the engine cannot fold', () => {
    expect(sqlText(trySql(SQL`f()`, createScope(hoisted)))).toBe('list_extract(TRY([CASE WHEN hash(c1) IS NOT NULL THEN f() END]), 1)');
    expect(added).toEqual(['0']);
  });

  it('in a lambda, which it does not move', () => {
    expect(sqlText(trySql(SQL`f(x)`, { ...createScope(hoisted), lambda: new Set([1]) }))).toBe('list_extract(TRY([f(x)]), 1)');
  });
});
