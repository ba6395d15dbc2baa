import type { Plan, Type } from '@svc/query-language';

import type { LoweringContext } from '../lowering-context.ts';
import { callContext } from '../lowering-context.ts';
import { bindOnce } from '../scalars/bind-once.ts';
import type { Scope } from '../scope.ts';
import { madeFor } from '../scope.ts';
import { freeVariables } from '../variables.ts';
import { sizeSql, sumSql } from './size-sql.ts';
import { isMaking, LONG } from './value-sizes.ts';

const KILOBYTE = 1024;

/** The most bytes that a value may have which a program makes long, and how many such values may have them; of more each has less. */
const MOST_BYTES = {
  once: { most: 65_536 * KILOBYTE, shared: 4, each: '' },
  row: { most: 1024 * KILOBYTE, shared: 16, each: ' for each row' },
  element: { most: 64 * KILOBYTE, shared: 8, each: ' for each element' },
} as const;

/** Values that have been lowered. */
export interface LoweredOperand {
  readonly sql: string;
  readonly type: Type;
}

/**
 * SQL that `build` makes of values, each evaluated once. Where the program itself makes the result long it fails, before it is
 * made, if it would have too many bytes: as many as all the values, or what `size` says of their names.
 */
export function bounded(
  context: LoweringContext,
  { plan, name, scope }: { readonly plan: Plan; readonly name: string; readonly scope: Scope },
  operands: readonly LoweredOperand[],
  build: (names: readonly string[]) => string,
  size: (names: readonly string[]) => string = sumOfSizes(operands),
): string {
  if (context.sizes.sizeOf(plan) <= LONG) return build(operands.map(({ sql }) => sql));
  const { most, shared, each } = MOST_BYTES[madeFor(scope)];
  const bytes = Math.ceil((most * Math.min(1, shared / context.sizes.makers)) / KILOBYTE) * KILOBYTE;
  const call = callContext(context, plan, { functionName: name, isInTry: scope.isInTry });
  const tooLong = call.raise(`${name} would make more than ${printBytes(bytes)}${each}`, plan.type);
  return bindOnce(
    operands.map(({ sql }) => sql),
    (...names) => `CASE WHEN ${size(names)} > ${bytes} THEN ${tooLong} ELSE ${build(names)} END`,
  );
}

function sumOfSizes(operands: readonly LoweredOperand[]): (names: readonly string[]) => string {
  return (names) => sumSql(operands.map(({ type }, i) => sizeSql(names[i] ?? 'NULL', type)));
}

function printBytes(bytes: number): string {
  return bytes % (KILOBYTE * KILOBYTE) === 0 ? `${bytes / KILOBYTE / KILOBYTE} MB` : `${bytes / KILOBYTE} kB`;
}

/** Says of a plan that is lowered how much it makes for each row on which it stands: a value that rows share may be larger than one of theirs. */
export function noteSize(context: LoweringContext, plan: Plan, scope: Scope): void {
  if (!isMaking(plan) || madeFor(scope) === 'once') return;
  const { sizes } = context;
  const size = plan.kind === 'Select' ? Math.max(sizes.sizeOf(plan), sizes.sizeOfRows(plan)) : sizes.sizeOf(plan);
  if (size <= LONG) return;
  const isOfShared = [...freeVariables(plan)].some((id) => scope.variables.get(id)?.kind === 'shared');
  context.mostMade = Math.max(context.mostMade, isOfShared ? size : Math.min(size, MOST_BYTES.row.most));
}
