import type { Plan } from '../plan/plan.ts';
import type { BinaryExpression, CallExpression, Expression } from '../syntax/ast.ts';
import { printExpression } from '../syntax/print/print-expression.ts';
import { isNumericName } from '../types/numeric-types.ts';
import { quoteName } from '../types/print.ts';
import type { Type } from '../types/type.ts';
import { isSameType, notNullable, string } from '../types/types.ts';
import { isTemporalName } from './temporal-text.ts';

/** A longer text would hide the advice. */
const MOST_CHARACTERS = 60;

/** A comparison of a field of a collection with one value, as it must be written; null of any other. */
export function comparedElements({ operator, left, right }: BinaryExpression, types: readonly [Type, Type]): string | null {
  const [isLeft, isRight] = [isOfElements(left, types[0]), isOfElements(right, types[1])];
  if (isLeft === isRight) return null;
  if (operator !== '=' && operator !== '<>')
    return isLeft ? fitting(`ANY(${printExpression(left)}, \\(x) -> x ${operator} ${printExpression(right)})`) : null;
  const [value, elements] = isLeft ? [right, left] : [left, right];
  return fitting(`${printExpression(value)} ${operator === '=' ? 'IN' : 'NOT IN'} ${printExpression(elements)}`);
}

/** Arithmetic with a field of a collection, as a SELECT over its elements; null of any other. */
export function calculatedElements({ operator, left, right }: BinaryExpression, side: Expression, type: Type): string | null {
  if (side.kind !== 'FieldAccess' || !isOfElements(side, type)) return null;
  const field = quoteName(side.field.text);
  const [a, b] = side === left ? [field, printExpression(right)] : [printExpression(left), field];
  return fitting(`(SELECT ${a} ${operator} ${b} FROM ${printExpression(side.target)})`);
}

/** Returns a call on a field of a collection as a SELECT over its elements, if one value is expected; null for other calls. */
export function calledWithElements(node: CallExpression, index: number, type: Type): string | null {
  const value = node.arguments[index]?.value;
  if (value?.kind !== 'FieldAccess' || !isOfElements(value, type)) return null;
  const { span, field } = value;
  const inside: Expression = { kind: 'NameExpression', span, name: field };
  const call = { ...node, arguments: node.arguments.map((argument, i) => (i === index ? { ...argument, value: inside } : argument)) };
  return fitting(`(SELECT ${printExpression(call)} FROM ${printExpression(value.target)})`);
}

/**
 * For a string compared with a value of another type, returns the literal in the form of that type, or the CAST; null for
 * other comparisons and for those allowed.
 */
export function comparedWithText(sides: readonly [Expression, Expression], plans: readonly [Plan, Plan]): string | null {
  const place = plans.findIndex(({ type }) => isSameType(notNullable(type), string));
  const [text, other, plan] = place === 0 ? [...sides, plans[1]] : [sides[1], sides[0], plans[0]];
  if (place < 0 || plan.type.kind !== 'PrimitiveType') return null;
  const { name } = plan.type;
  if (isNumericName(name)) {
    if (text.kind === 'StringLiteral') return /^-?\d{1,18}(?:\.\d{1,18})?$/.test(text.value) ? text.value : null;
    if (other.kind === 'NumberLiteral') return `'${other.text}'`;
  } else if (!isTemporalName(name) || plans[place]?.kind === 'Constant') return null;
  return fitting(`CAST(${printExpression(text)} AS ${name})`);
}

function isOfElements(node: Expression, type: Type): boolean {
  return type.kind === 'CollectionType' && (node.kind === 'FieldAccess' || node.kind === 'NameExpression');
}

/** Returns the text of an advice, or null if it is too long to help. */
export function fitting(text: string): string | null {
  return text.length > MOST_CHARACTERS ? null : text;
}
