import type { Plan, Type } from '@svc/query-language';

import { isComputed, LONG } from '../../analysis/value-sizes.ts';
import { freeVariables } from '../../analysis/variables.ts';
import { NULL, SQL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import { callContext } from '../lowering-context.ts';
import { letExpression } from '../scalars/let-expression.ts';
import type { Scope } from '../scope.ts';
import { evaluatedPer } from '../scope.ts';
import { sizeSql, sumSql } from './size-sql.ts';

const KILOBYTE = 1024;

/**
 * Maximum number of bytes of a value that a program makes long, and the number of such values that may have it; with more of
 * them each may have less.
 */
const MOST_BYTES = {
  statement: { most: 65_536 * KILOBYTE, shared: 4, each: '' },
  row: { most: 1024 * KILOBYTE, shared: 16, each: ' for each row' },
  element: { most: 64 * KILOBYTE, shared: 8, each: ' for each element' },
} as const;

/** Values that have been lowered. */
export interface LoweredOperand {
  readonly sql: Sql;
  readonly type: Type;
}

/**
 * Builds SQL over values, each evaluated once. If the program itself makes the result long, it fails before the result is
 * built if that would have too many bytes: the sum of all values, or the result of `size`.
 */
export function bounded(
  context: LoweringContext,
  { plan, name, scope }: { readonly plan: Plan; readonly name: string; readonly scope: Scope },
  operands: readonly LoweredOperand[],
  build: (names: readonly Sql[]) => Sql,
  size: (names: readonly Sql[]) => Sql = sumOfSizes(operands),
): Sql {
  if (context.sizes.sizeOf(plan) <= LONG) return build(operands.map(({ sql }) => sql));
  const { most, shared, each } = MOST_BYTES[evaluatedPer(scope)];
  const bytes = Math.ceil((most * Math.min(1, shared / context.sizes.generators)) / KILOBYTE) * KILOBYTE;
  const call = callContext(context, plan, { functionName: name, isInTry: scope.isInTry });
  const tooLong = call.raise(`${name} would make more than ${printBytes(bytes)}${each}`, plan.type);
  return letExpression(
    operands.map(({ sql }) => sql),
    (...names) => SQL`CASE WHEN ${size(names)} > ${bytes} THEN ${tooLong} ELSE ${build(names)} END`,
  );
}

function sumOfSizes(operands: readonly LoweredOperand[]): (names: readonly Sql[]) => Sql {
  return (names) => sumSql(operands.map(({ type }, i) => sizeSql(names[i] ?? NULL, type)));
}

function printBytes(bytes: number): string {
  return bytes % (KILOBYTE * KILOBYTE) === 0 ? `${bytes / KILOBYTE / KILOBYTE} MB` : `${bytes / KILOBYTE} kB`;
}

/** Records how much a lowered plan produces per row: a value shared by rows may be larger than one per row. */
export function noteSize(context: LoweringContext, plan: Plan, scope: Scope): void {
  if (!isComputed(plan) || evaluatedPer(scope) === 'statement') return;
  const { sizes } = context;
  const size = plan.kind === 'Select' ? Math.max(sizes.sizeOf(plan), sizes.sizeOfRows(plan)) : sizes.sizeOf(plan);
  if (size <= LONG) return;
  const isOfShared = [...freeVariables(plan)].some((id) => scope.variables.get(id)?.kind === 'shared');
  context.outputBytes = Math.max(context.outputBytes, isOfShared ? size : Math.min(size, MOST_BYTES.row.most));
}
