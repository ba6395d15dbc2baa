import type { Arithmetic, Cast, Plan } from '@svc/query-language';
import { bool, castKind, notNullable, nullable } from '@svc/query-language';

import { canFail } from '../can-fail.ts';
import { isFloating } from '../scalars/number-types.ts';
import { somePart } from '../variables.ts';
import { isNull, not } from './attempts.ts';
import { CERTAIN, mapPlaced, type Place } from './places.ts';

/** What is evaluated for each element of something, or not at all. */
const NOT_LOOKED_INTO: ReadonlySet<Plan['kind']> = new Set(['Select', 'SetOperation', 'Reduce', 'Let', 'Try']);

/** More is not asked before, and of nothing longer: it is said twice. */
const MOST_ASKED = 8;
const MOST_PARTS = 20;

/**
 * Where some value is sure to fail, by what is cheap to ask: a divisor of zero, a text that is no number. Of a TRY that fails for one
 * of the 2,048 rows that it is given the engine tries each alone, which takes it a hundred times as long; rows that are asked before
 * never come to it. `filter` says which rows are evaluated at all. Null where nothing can be asked.
 */
export function sureFailure(values: readonly Plan[], filter: Plan | null, span: Plan['span']): Plan | null {
  const found: Plan[] = [];
  const visit = (part: Plan, place: Place): Plan => {
    if (!place.isCertain || NOT_LOOKED_INTO.has(part.kind) || !canFail(part)) return part;
    const fails = part.kind === 'Arithmetic' ? ofDivision(part) : part.kind === 'Cast' ? ofCast(part) : null;
    if (fails !== null && found.length < MOST_ASKED) found.push(fails);
    return mapPlaced(part, place, visit);
  };
  for (const value of values) visit(value, CERTAIN);
  const [first, ...others] = found;
  if (first === undefined) return null;
  const fails: Plan = others.length === 0 ? first : { kind: 'Logical', type: nullable(bool), span, operator: 'or', operands: found };
  return filter === null ? fails : { kind: 'Logical', type: nullable(bool), span, operator: 'and', operands: [filter, fails] };
}

/** Division by zero. */
function ofDivision({ operator, operands, type, span }: Arithmetic): Plan | null {
  const [dividend, divisor] = operands;
  if ((operator !== 'divide' && operator !== 'modulo') || isFloating(type) || dividend === undefined || divisor === undefined) return null;
  if (divisor.kind === 'Constant' || !operands.every(isShort)) return null;
  const zero: Plan = { kind: 'Constant', type: notNullable(divisor.type), span, value: '0' };
  const isZero: Plan = { kind: 'Comparison', type: nullable(bool), span, operator: '=', left: total(divisor), right: zero };
  return { kind: 'Logical', type: nullable(bool), span, operator: 'and', operands: [isZero, not(isNull(total(dividend)))] };
}

/** A text that is no value of a type that is no record or collection. */
function ofCast(cast: Cast): Plan | null {
  const { operand, type, span } = cast;
  if (cast.isTry || type.kind !== 'PrimitiveType' || operand.type.kind !== 'PrimitiveType' || operand.type.name !== 'string') return null;
  if (!isShort(operand) || castKind(notNullable(operand.type), notNullable(type)) !== 'may-fail') return null;
  const text = total(operand);
  const isNone = isNull({ ...cast, operand: text, type: nullable(type), isTry: true });
  return { kind: 'Logical', type: bool, span, operator: 'and', operands: [not(isNull(text)), isNone] };
}

/** A value that is NULL where it fails. */
function total(operand: Plan): Plan {
  return canFail(operand) ? { kind: 'Try', type: nullable(operand.type), span: operand.span, operand } : operand;
}

function isShort(plan: Plan): boolean {
  let parts = 0;
  return !somePart(plan, ({ kind }) => (parts += 1) > MOST_PARTS || NOT_LOOKED_INTO.has(kind));
}
