import { findFunction, ownValue, type ArithmeticOperator, type Call, type Let, type Plan } from '@svc/query-language';

import { constantOf } from '../../analysis/constant-of.ts';
import { isDecimal, isInteger } from '../../analysis/number-types.ts';
import { bindingOf } from '../../analysis/scope-bindings.ts';
import { DECIMAL_SCALE, DECIMAL_WIDTH } from '../../representation/duck-type.ts';
import { castTo, NULL, type Sql } from '../../sql/sql.ts';
import type { LoweringContext } from '../lowering-context.ts';
import type { CallContext } from '../lowering-types.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { SCALED_FUNCTIONS, type ScaledSql } from '../functions/scaled-functions.ts';
import type { Scope } from '../scope.ts';
import { fitsCommonScale, scaleOfText } from './lower-constant.ts';

/** Scales of the decimals that variables stand for, where they are known. */
type DecimalVariables = Pick<Scope, 'variables'>;

/**
 * Returns the scale of a decimal plan as far as it is known before it runs: for constants, integers converted to decimals,
 * columns of known scale, and what is calculated, rounded or chosen from these. Others have scale 18, and so 20 digits before
 * the point.
 */
export function decimalScale(plan: Plan, scope: DecimalVariables): number {
  const scale = (part: Plan): number => decimalScale(part, scope);
  if (plan.kind === 'Constant') return typeof plan.value === 'string' ? scaleOfText(plan.value) : 0;
  if (plan.kind === 'Convert' || plan.kind === 'Cast') {
    if (isInteger(plan.operand.type)) return 0;
    return isDecimal(plan.operand.type) ? scale(plan.operand) : DECIMAL_SCALE;
  }
  if (plan.kind === 'Arithmetic') return SCALES[plan.operator](plan.operands.map(scale));
  if (plan.kind === 'Case') return largest([...plan.branches.map(({ then }) => then), plan.otherwise].map(scale));
  if (plan.kind === 'Coalesce') return largest(plan.operands.map(scale));
  if (plan.kind === 'Let') return decimalScale(plan.body, withScale(plan, scope));
  if (plan.kind === 'Call') {
    if (findFunction(plan.function)?.alwaysFails === true) return 0;
    return lowerScaledCall(plan, scope, () => NULL)?.scale ?? DECIMAL_SCALE;
  }
  // More digits after the point than the common scale has are rounded where they are calculated with.
  return Math.min(DECIMAL_SCALE, decimalColumn(plan, scope)?.scale ?? DECIMAL_SCALE);
}

function withScale({ id, value }: Let, scope: DecimalVariables): DecimalVariables {
  const scale = isDecimal(value.type) ? decimalScale(value, scope) : undefined;
  return { variables: new Map([...scope.variables, [id, { kind: 'column', sql: NULL, scale }]]) };
}

/** Lowers the call of a function that keeps or lowers the scale of a decimal; undefined for others. */
export function lowerScaledCall(plan: Call, scope: DecimalVariables, lower: (argument: Plan) => Sql): ScaledSql | undefined {
  const [argument, places] = plan.arguments;
  const lowering = ownValue(SCALED_FUNCTIONS, plan.function);
  if (lowering === undefined || argument === undefined || !isDecimal(argument.type)) return undefined;
  const scale = decimalScale(argument, scope);
  if (scale > DECIMAL_SCALE) return undefined;
  const constant = places && constantOf(places);
  const isOfScale = decimalColumn(argument, scope)?.scale === scale;
  const sql = isOfScale ? lower(argument) : atScale(lower(argument), scale);
  return lowering({ sql, scale }, typeof constant === 'string' ? Number(constant) : undefined);
}

/** Returns the column of decimals that a plan reads if its scale is known. */
export function decimalColumn(plan: Plan, scope: Pick<Scope, 'variables'>): ScaledSql | undefined {
  if (plan.kind === 'Field') {
    const row = bindingOf(plan.target, scope);
    const [sql, scale] = row?.kind === 'row' ? [row.columns[plan.index], row.scales[plan.index]] : [];
    return sql === undefined || scale === undefined ? undefined : { sql, scale };
  }
  const column = bindingOf(plan, scope);
  return column?.kind === 'column' && column.scale !== undefined ? { sql: column.sql, scale: column.scale } : undefined;
}

/** SQL of a value; of a decimal with its scale, if that is known. */
export interface KeptValue {
  readonly sql: Sql;
  readonly scale?: number | undefined;
}

/** Lowers a value that stands beside no other decimal: what is read or calculated keeps its scale. */
export function lowerKept(context: Pick<LoweringContext, 'lowerValue' | 'lowerDigits'>, plan: Plan, scope: Scope): KeptValue {
  const column = decimalColumn(plan, scope);
  if (column !== undefined) return column;
  const scale = isDecimal(plan.type) && plan.kind !== 'Constant' ? decimalScale(plan, scope) : DECIMAL_SCALE;
  return scale < DECIMAL_SCALE ? { sql: context.lowerDigits(plan, scope), scale } : { sql: context.lowerValue(plan, scope) };
}

/** A column of decimals, of this scale if it is known, as a value that is kept, compared or passed on. */
export function storedColumn(sql: Sql, scale: number | undefined): Sql {
  return scale === undefined || scale >= DECIMAL_SCALE ? sql : atScale(sql, DECIMAL_SCALE);
}

const largest = (scales: readonly number[]): number => Math.min(DECIMAL_SCALE, Math.max(...scales));

/** Scale of an operator's result. */
const SCALES: Readonly<Record<ArithmeticOperator, (scales: readonly number[]) => number>> = {
  add: largest,
  subtract: largest,
  multiply: (scales) =>
    Math.min(
      DECIMAL_SCALE,
      scales.reduce((sum, scale) => sum + scale, 0),
    ),
  divide: () => DECIMAL_SCALE,
  modulo: largest,
  negate: (scales) => Math.max(...scales),
  concatenate: largest,
};

/**
 * Converts a decimal to the common scale: of several scales the engine derives a type with too few digits, so stored
 * decimals have 18 after the point. With more than 20 digits before it that fails, at the value's span; a constant with more
 * than 18 after it is rejected.
 */
export function storedDecimal(plan: Plan, sql: Sql, scope: Pick<Scope, 'variables'>, call: Pick<CallContext, 'castLine'>): Sql {
  if (!isDecimal(plan.type)) return sql;
  if (plan.kind === 'Constant' && typeof plan.value === 'string' && TOO_PRECISE.test(plan.value))
    throw new LoweringUnsupported(
      `a decimal that is kept, compared or passed on has at most ${DECIMAL_SCALE} digits after the point: write it with fewer`,
      plan.span,
    );
  if (decimalScale(plan, scope) === DECIMAL_SCALE) return sql;
  if (plan.kind === 'Constant' && (typeof plan.value !== 'string' || fitsCommonScale(plan.value))) return sql;
  return call.castLine(atScale(sql, DECIMAL_SCALE));
}

const TOO_PRECISE = new RegExp(String.raw`\.\d{${DECIMAL_SCALE},}?[1-9]`);

/** An integer as a decimal without digits after the point. */
export function wholeDecimal(integer: Sql): Sql {
  return atScale(integer, 0);
}

/** Casts a decimal to 38 digits, `scale` of them after the point, rounding half up. */
export function atScale(sql: Sql, scale: number): Sql {
  return castTo(sql, `DECIMAL(${DECIMAL_WIDTH},${scale})`);
}
