import type { BinaryExpression, Expression } from '../syntax/ast.ts';
import { printExpression } from '../syntax/print/print-expression.ts';
import { printName } from '../types/print.ts';
import type { Type } from '../types/type.ts';

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
  const field = printName(side.field.text);
  const [a, b] = side === left ? [field, printExpression(right)] : [printExpression(left), field];
  return fitting(`(SELECT ${a} ${operator} ${b} FROM ${printExpression(side.target)})`);
}

function isOfElements(node: Expression, type: Type): boolean {
  return type.kind === 'CollectionType' && (node.kind === 'FieldAccess' || node.kind === 'NameExpression');
}

function fitting(text: string): string | null {
  return text.length > MOST_CHARACTERS ? null : text;
}
