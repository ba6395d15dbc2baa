import { printType, string, type Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, NULL, SQL, textLiteral, tryCastTo, type Sql } from '../../sql/sql.ts';
import { typeWord } from '../../statements/failures/type-word.ts';
import type { CallContext } from '../lowering-types.ts';
import { misfitText, type ValuePath } from './value-path.ts';

/** Handling of a value that cannot be cast: failure, or NULL. */
export interface CastMode {
  /** The engine's cast of an expression to one of its types. */
  readonly cast: (sql: Sql, engineType: string) => Sql;
  /** Result for a value that cannot be cast; `text` is SQL of the value as text, never NULL. */
  readonly fail: (from: Type, to: Type, text?: Sql) => Sql;
  /** Result for a part of an `any` that is not of its type; `found` is SQL of its text, never NULL. */
  readonly misfit: (path: ValuePath, to: Type, found: Sql) => Sql;
  /** True if `misfit` uses the path; otherwise none is built. */
  readonly namesPath: boolean;
}

/** Fails at the cast's place. */
export function strictMode(call: Pick<CallContext, 'raise' | 'raiseText' | 'castLine' | 'isNoted'>): CastMode {
  return {
    cast: (sql, engineType) => (call.isNoted ? castOrNote(sql, engineType, call) : call.castLine(castTo(sql, engineType))),
    fail: (from, to, text) => {
      if (text === undefined) return call.raise(`cannot cast ${printType(from)} to ${printType(to)}`, to);
      return call.raiseText(SQL`concat('cannot cast ', left(${text}, 100), ${textLiteral(` to ${printType(to)}`)})`, to);
    },
    misfit: (path, to, found) => call.raiseText(misfitText(path, to, found), to),
    namesPath: true,
  };
}

/** Returns NULL for a value that cannot be cast. For casts of single values, which have no parts that could be NULL instead. */
export const tryMode = silentMode(tryCastTo, NULL);

/** Fails inside a TRY: with a cast that must fail, since `error` is volatile and does not bind there. */
export const insideTryMode = silentMode(castTo, SQL`json('no value')`);

function silentMode(cast: CastMode['cast'], failure: Sql): CastMode {
  const fail = (_: unknown, to: Type): Sql => castTo(failure, duckType(to));
  return { cast, fail, misfit: fail, namesPath: false };
}

/** The engine's own failure cannot be noted. */
function castOrNote(sql: Sql, engineType: string, call: Pick<CallContext, 'raiseText'>): Sql {
  const text = SQL`left(CAST(${sql} AS VARCHAR), 100)`;
  const fail = call.raiseText(SQL`concat('cannot cast ''', ${text}, ${textLiteral(`' to ${typeWord(engineType)}`)})`, string);
  return SQL`coalesce(${tryCastTo(sql, engineType)}, CASE WHEN ${sql} IS NOT NULL THEN ${castTo(fail, engineType)} END)`;
}
