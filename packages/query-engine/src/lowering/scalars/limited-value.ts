import type { Type } from '@svc/query-language';

import { NULL, operatorTree, SQL, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { letExpression } from './let-expression.ts';
import { sizeSql } from './size-sql.ts';

/** Values that have been lowered. */
export interface LoweredOperand {
  readonly sql: Sql;
  readonly type: Type;
}

/**
 * Builds SQL over values, each evaluated once. A long result fails before it is built if it would have too many bytes: the sum
 * of all values, or the result of `size`.
 */
export function limitedValue(
  { limits, functionName, raise, type }: CallContext,
  operands: readonly LoweredOperand[],
  build: (names: readonly Sql[]) => Sql,
  size: (names: readonly Sql[]) => Sql = sizeOfAll(operands),
): Sql {
  if (limits === null) return build(operands.map(({ sql }) => sql));
  const { kilobytes, each } = limits;
  const most = kilobytes % 1024 === 0 ? `${kilobytes / 1024} MB` : `${kilobytes} kB`;
  const tooLong = raise(`${functionName} would make more than ${most}${each}`, type);
  return letExpression(
    operands.map(({ sql }) => sql),
    (...names) => SQL`CASE WHEN ${size(names)} > ${kilobytes * 1024} THEN ${tooLong} ELSE ${build(names)} END`,
  );
}

/** The sum of the sizes of values. */
export function sizeOfAll(operands: readonly LoweredOperand[]): (names: readonly Sql[]) => Sql {
  return (names) =>
    operatorTree(
      '+',
      operands.map(({ type }, i) => sizeSql(names[i] ?? NULL, type)),
    );
}
