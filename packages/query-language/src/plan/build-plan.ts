import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import { bool, nullable, string } from '../types/types.ts';
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

/** `EXISTS(collection)` */
export function exists(collection: Plan, span: Span): Plan {
  const type = collection.type.isNullable ? nullable(bool) : bool;
  return { kind: 'Call', type, span, function: 'EXISTS', arguments: [collection] };
}

/** Fails with a message; `type` is that of the value in whose place it stands. */
export function failure(message: string, type: Type, span: Span): Plan {
  return { kind: 'Call', type, span, function: 'ERROR', arguments: [constant(string, message, span)] };
}

/** An aggregate without DISTINCT, ORDER BY and FILTER. */
export function aggregate(name: string, type: Type, args: readonly Plan[], span: Span): Plan {
  return { kind: 'Aggregate', type, span, function: name, arguments: args, isDistinct: false, orderBy: [], filter: null };
}

/** NULL if one of the values is NULL, else the result. */
export function nullIfAnyNull(values: readonly Plan[], result: Plan, span: Span): Plan {
  const type = nullable(result.type);
  const branches = values.map((value) => ({ when: isNull(value, span), then: nullOf(type, span) }));
  return { kind: 'Case', type, span, branches, otherwise: result };
}
