import type { Constant, Plan, PrimitiveName, PrimitiveType } from '@svc/query-language';

import { isDecimal } from '../../analysis/number-types.ts';
import { DECIMAL_SCALE, DECIMAL_WIDTH, duckType } from '../../representation/duck-type.ts';
import { castTo, FALSE, NULL, numberLiteral, SQL, textLiteral, TRUE, type Sql } from '../../sql/sql.ts';
import { toEngineRegex } from './engine-regex.ts';

/** Returns the SQL of a constant in the engine's type; a decimal with too many digits for that keeps them. */
export function lowerConstant(constant: Constant): Sql {
  const { type, value } = constant;
  if (value === null) return castTo(NULL, duckType(type));
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  if (type.kind !== 'PrimitiveType') throw new Error(`There is no constant of ${type.kind}.`);
  return lowerText(type, value);
}

function lowerText(type: PrimitiveType, value: string): Sql {
  const write = WRITERS[type.name];
  return write === undefined ? castTo(textLiteral(value), duckType(type)) : write(value);
}

/** Writers of constants whose text the engine does not accept, or accepts with fewer digits. */
const WRITERS: Partial<Record<PrimitiveName, (value: string) => Sql>> = {
  string: textLiteral,
  regex: (value) => textLiteral(toEngineRegex(value)),
  binary: (value) => SQL`encode(${textLiteral(value)})`,
  decimal: (value) => decimalOf(value, fitsCommonScale(value) ? DECIMAL_SCALE : scaleOfText(value)),
  interval: (value) => {
    const [months = '', days = '', micros = ''] = value.split(' ');
    return SQL`(to_months(${numberLiteral(months)}) + to_days(${numberLiteral(days)}) + to_microseconds(${numberLiteral(micros)}))`;
  },
};

/** A decimal constant with the digits after the point that it is written with. */
export function lowerDecimalDigits(constant: Constant): Sql {
  return typeof constant.value === 'string' ? decimalOf(constant.value, scaleOfText(constant.value)) : lowerConstant(constant);
}

function decimalOf(value: string, scale: number): Sql {
  return castTo(textLiteral(value), `DECIMAL(${DECIMAL_WIDTH},${scale})`);
}

/** Returns whether a decimal's text has few enough digits before the point for the common scale, which its constant has then. */
export function fitsCommonScale(text: string): boolean {
  return digitsBefore(text) <= DECIMAL_WIDTH - DECIMAL_SCALE;
}

/** Returns whether a plan is a decimal constant that is greater, or less, than all decimals of this scale. */
export function isConstantBeyond(plan: Plan, scale: number): boolean {
  return (
    plan.kind === 'Constant' && isDecimal(plan.type) && typeof plan.value === 'string' && digitsBefore(plan.value) > DECIMAL_WIDTH - scale
  );
}

/** Digits before the point of a decimal's text: `12.5` has 2, `1e3` has 4. */
function digitsBefore(text: string): number {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e');
  return (digits.split('.')[0] ?? '').replace(/^[-+]?0*/, '').length + Math.max(0, Number(exponent));
}

/** Returns the scale of a decimal's text, at most 38: 2 for `1.50`, 1 for `15e-1`, 0 for `1e3`. */
export function scaleOfText(text: string): number {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e');
  const written = digits.split('.')[1]?.length ?? 0;
  return Math.min(DECIMAL_WIDTH, Math.max(0, written - Number(exponent)));
}
