import type { Type } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import { castTo, joinSql, SQL, textLiteral, verbatim, type Sql } from '../sql/sql.ts';
import { isEngineFailure } from '../statements/engine-failure.ts';
import { runStatement } from '../statements/run-statement.ts';
import { never, openTestEngine, type TestEngine } from './with-engine.ts';

/** Evaluates single SQL expressions on a real engine: `afterAll(evaluator.close)`. */
export interface SqlEvaluator {
  /** The engine's own text of the value, `NULL`, or `! ` and the message of the failure. */
  readonly evaluate: (sql: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Opens an engine to evaluate expressions on. */
export async function openSqlEvaluator(): Promise<SqlEvaluator> {
  const engine: TestEngine = await openTestEngine();
  return {
    evaluate: (sql) =>
      engine.withLease(async (lease) => {
        try {
          const [row] = await runStatement(lease, { sql: `SELECT CAST(v AS VARCHAR) AS v FROM (SELECT ${sql} AS v)`, signal: never });
          const value = row?.['v'];
          return typeof value === 'string' ? value : 'NULL';
        } catch (thrown) {
          if (!isEngineFailure(thrown)) throw thrown;
          return thrown.failureClass === 'internal' ? `! ${thrown.message}: ${String(thrown.cause)}` : `! ${thrown.message}`;
        }
      }),
    close: engine.close,
  };
}

/** A context of calls that raises with the message itself. */
export const plainCall = {
  raise: (message: string, type: Type): Sql => castTo(SQL`error(concat('E1:', ${textLiteral(message)}))`, duckType(type)),
  raiseText: (messageSql: Sql, type: Type): Sql => castTo(SQL`error(concat('E1:', ${messageSql}))`, duckType(type)),
  castLine: (sql: Sql): Sql => joinSql([verbatim('\n'), sql, verbatim('\n')], ''),
  isInTry: false,
  isNoted: false,
  hasErrorPositions: false,
  limits: { elements: 10_000_000, characters: 10_000_000, kilobytes: 65_536, each: '' },
} as const;
