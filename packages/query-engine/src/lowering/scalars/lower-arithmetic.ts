import type { Arithmetic, ArithmeticOperator, Constant, Plan, PrimitiveName, Type } from '@svc/query-language';

import { castTo, joinSql, NOTHING, operatorTree, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import type { ScaledSql } from '../functions/scaled-functions.ts';
import type { CallContext } from '../lowering-types.ts';
import type { Scope } from '../scope.ts';
import { addDecimals, divideDecimals, multiplyDecimals } from './decimal-arithmetic.ts';
import { decimalScale } from './decimal-scale.ts';
import { letExpression } from './let-expression.ts';

/** An operator of numbers with two sides. */
type TwoSided = Exclude<ArithmeticOperator, 'negate' | 'concatenate'>;

const SIGNS = {
  add: verbatim('+'),
  subtract: verbatim('-'),
  multiply: verbatim('*'),
  divide: verbatim('/'),
  modulo: verbatim('%'),
} as const satisfies Record<TwoSided, Sql>;

/** Context of an operator; `divisor` is the value of a constant divisor. */
type ArithmeticCall = Pick<CallContext, 'raise'> & { readonly divisor?: Constant['value'] | undefined };

/**
 * Lowers arithmetic, concatenation and temporal arithmetic on lowered operands. The engine raises integer overflow, division
 * by zero is raised here; NULL for a NULL operand.
 */
export function lowerArithmetic(node: Arithmetic, operands: readonly Sql[], scope: Pick<Scope, 'variables'>, call: ArithmeticCall): Sql {
  if (node.operator === 'concatenate') return concatenate(node.operands, operands);
  const [left = NOTHING, right = NOTHING] = operands;
  if (node.operator === 'negate') return SQL`(-(${left}))`;
  const [leftPlan, rightPlan] = node.operands;
  if (leftPlan === undefined || rightPlan === undefined) throw new Error(`${node.operator} needs two operands.`);
  const temporal = temporalArithmetic(
    node.operator,
    { name: primitiveName(leftPlan.type), sql: left },
    { name: primitiveName(rightPlan.type), sql: right },
  );
  if (temporal !== null) return temporal;
  const name = primitiveName(node.type);
  if (name === 'float' || name === 'double') return SQL`(${left} ${SIGNS[node.operator]} ${right})`;
  if (name === 'decimal') {
    const sides = [
      { sql: left, scale: decimalScale(leftPlan, scope) },
      { sql: right, scale: decimalScale(rightPlan, scope) },
    ] as const;
    return OF_DECIMALS[node.operator](...sides, node, call);
  }
  if (node.operator === 'divide' || node.operator === 'modulo') {
    return guardZero([left, right], node, call, node.operator === 'divide' ? (x, y) => SQL`(${x} // ${y})` : remainderBy(call.divisor));
  }
  return SQL`${FUNCTIONS[node.operator]}(${left}, ${right})`;
}

/**
 * As functions, since the engine moves the constants of `x + 1 > 5` and `SUM(x + 1)` out of an operator, and loses its
 * overflow; it does not do that for the equivalent functions.
 */
const FUNCTIONS = { add: verbatim('add'), subtract: verbatim('subtract'), multiply: verbatim('multiply') } as const;

/** Returns the remainder by a divisor of this constant value, if it is one. The engine reports that of the least number by -1 as an overflow. */
export function remainderBy(divisor: Constant['value'] | undefined): (x: Sql, y: Sql) => Sql {
  const isPositive = typeof divisor === 'string' && /^\d+$/.test(divisor);
  return (x, y) => SQL`(${x} % ${isPositive ? y : SQL`CASE WHEN ${y} = -1 THEN 1 ELSE ${y} END`})`;
}

/** Arithmetic of decimals, with explicit scales. */
const OF_DECIMALS: Readonly<
  Record<TwoSided, (left: ScaledSql, right: ScaledSql, node: Arithmetic, call: Pick<CallContext, 'raise'>) => Sql>
> = {
  add: (left, right) => addDecimals('+', left, right),
  subtract: (left, right) => addDecimals('-', left, right),
  multiply: multiplyDecimals,
  divide: (left, right, { type }, { raise }) =>
    divideDecimals(left, right, { overflow: raise('decimal overflow', type), byZero: raise('/ by zero', type) }),
  modulo: (left, right, node, call) =>
    guardZero([left.sql, right.sql], node, call, (x, y) => addDecimals('%', { ...left, sql: x }, { ...right, sql: y })),
};

function guardZero(
  operands: readonly [Sql, Sql],
  node: Arithmetic,
  call: Pick<CallContext, 'raise'>,
  quotient: (x: Sql, y: Sql) => Sql,
): Sql {
  const divisor = node.operands[1];
  if (divisor?.kind === 'Constant' && typeof divisor.value === 'string' && /[1-9]/.test(divisor.value)) return quotient(...operands);
  return divisionByZero(operands, { raise: call.raise, type: node.type }, quotient);
}

/** Raises an error for a quotient or remainder by 0, for which the engine returns NULL: the divisor is checked afterwards. */
export function divisionByZero(
  [left, right]: readonly [Sql, Sql],
  call: Pick<CallContext, 'raise' | 'type'>,
  quotient: (x: Sql, y: Sql) => Sql,
): Sql {
  return letExpression(
    [left, right],
    (x, y) => SQL`coalesce(${quotient(x, y)}, CASE WHEN ${y} = 0 AND ${x} IS NOT NULL THEN ${call.raise('/ by zero', call.type)} END)`,
  );
}

interface TemporalOperand {
  readonly name: PrimitiveName | null;
  readonly sql: Sql;
}

/** Null for numeric operands. Differences are days and time, so that adding them back yields the same moment. */
function temporalArithmetic(operator: TwoSided, left: TemporalOperand, right: TemporalOperand): Sql | null {
  if (left.name === 'interval' && right.name !== 'interval' && operator === 'add') return SQL`(${right.sql} + ${left.sql})`;
  if (left.name === 'date' && right.name === 'date') return SQL`to_days(CAST(${left.sql} - ${right.sql} AS INTEGER))`;
  if (left.name === 'time' && right.name === 'time') return SQL`((DATE '1970-01-01' + ${left.sql}) - (DATE '1970-01-01' + ${right.sql}))`;
  if ([left, right].some(({ name }) => name === 'interval' || isMoment(name))) return SQL`(${left.sql} ${SIGNS[operator]} ${right.sql})`;
  return null;
}

function isMoment(name: PrimitiveName | null): boolean {
  return name === 'date' || name === 'timestamp';
}

/** Concatenates texts; NULL if one is NULL, which `concat` skips. The engine gives no type to `||` with a constant NULL, hence the cast. */
function concatenate(plans: readonly Plan[], operands: readonly Sql[]): Sql {
  const mayBeNull = plans.some(({ type }) => type.kind === 'ErrorType' || type.isNullable);
  return mayBeNull ? castTo(operatorTree('||', operands), 'VARCHAR') : SQL`concat(${joinSql(operands)})`;
}

function primitiveName(type: Type): PrimitiveName | null {
  return type.kind === 'PrimitiveType' ? type.name : null;
}
