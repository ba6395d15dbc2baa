import { castTo, SQL, type Sql } from './sql.ts';

/**
 * SQL whose failures are those of a lambda, into which the engine does not look, as SQL that the engine sees can fail: of
 * conditions it evaluates those first that cannot, and moves them through projections, before the conditions that guard them. TRY
 * allows no `error`, and needs none.
 */
export function withVisibleFailure(sql: Sql, engineType: string): Sql {
  return SQL`CASE WHEN random() >= 0 THEN ${sql} ELSE ${castTo(SQL`error('')`, engineType)} END`;
}
