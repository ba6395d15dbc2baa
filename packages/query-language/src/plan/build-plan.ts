import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import { bool, nullable } from '../types/types.ts';
import type { Constant, Plan } from './plan.ts';

/** A constant; see `Constant` for the text. */
export function constant(type: Type, value: Constant['value'], span: Span): Plan {
  return { kind: 'Constant', type, span, value };
}

/** NULL of a type. */
export function nullOf(type: Type, span: Span): Plan {
  return constant(nullable(type), null, span);
}

/** `operand IS NULL` */
export function isNull(operand: Plan, span: Span): Plan {
  return { kind: 'IsNull', type: bool, span, operand };
}

/** `NOT operand` */
export function not(operand: Plan, span: Span = operand.span): Plan {
  return { kind: 'Not', type: operand.type, span, operand };
}

/** NULL if one of the values is NULL, else the result. */
export function nullIfAnyNull(values: readonly Plan[], result: Plan, span: Span): Plan {
  const type = nullable(result.type);
  const branches = values.map((value) => ({ when: isNull(value, span), then: nullOf(type, span) }));
  return { kind: 'Case', type, span, branches, otherwise: result };
}
