import type { Binary, Term } from '../program/term.ts';
import { conjunction, evaluateComparison } from '../values/comparison.ts';
import { convert, textOf } from '../values/convert.ts';
import { calculate } from '../values/numbers.ts';
import type { SetOperator } from '../values/operators.ts';
import { compareInside, compareRows, distinct } from '../values/order.ts';
import type { Shape } from '../values/shape.ts';
import { commonShape } from '../values/shape.ts';
import { calculateTemporal } from '../values/temporal.ts';
import type { CollectionValue, Value } from '../values/value.ts';
import { elementsOf, ordered } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { evaluate } from './environment.ts';
import { touchBranches } from './touch.ts';

/** `left operator right` */
export function evaluateBinary(term: Binary, environment: Environment): Value {
  switch (term.operator) {
    case 'AND':
    case 'OR':
      return evaluateLogical(term, environment);
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'IS DISTINCT FROM':
    case 'IS NOT DISTINCT FROM': {
      const shape = commonShape(term.left.shape, term.right.shape);
      const [left, right] = sidesOf(term, environment);
      return evaluateComparison(term.operator, convert(left, shape), convert(right, shape));
    }
    case '||':
      return present(sidesOf(term, environment), (left, right) => textOf(left) + textOf(right));
    case 'UNION':
    case 'UNION ALL':
    case 'EXCEPT':
    case 'EXCEPT ALL':
    case 'INTERSECT':
    case 'INTERSECT ALL': {
      const { operator, shape } = term;
      return present(sidesOf(term, environment), (left, right) => combine(operator, convert(left, shape), convert(right, shape)));
    }
    case '++':
    case '+++':
      return present(sidesOf(term, environment), (left, right) => append(term, left, right));
    case '+':
    case '-':
    case '*':
    case '/':
    case '%': {
      const { operator, shape } = term;
      if (shape === 'string') return present(sidesOf(term, environment), (left, right) => textOf(left) + textOf(right));
      if (shape === 'timestamp' || shape === 'time' || shape === 'interval')
        return present(sidesOf(term, environment), (left, right) => calculateTemporal(operator, left, right));
      return present(sidesOf(term, environment), (left, right) => calculate(operator, convert(left, shape), convert(right, shape), shape));
    }
  }
}

function sidesOf({ left, right }: Binary, environment: Environment): readonly [Value, Value] {
  return [evaluate(left, environment), evaluate(right, environment)];
}

function present([left, right]: readonly [Value, Value], combineThem: (left: Value, right: Value) => Value): Value {
  return left === null || right === null ? null : combineThem(left, right);
}

/** The right side of AND and OR can fail only if the left one does not decide. */
function evaluateLogical(term: Binary, environment: Environment): Value {
  const decides = term.operator === 'OR';
  const left = evaluate(term.left, environment);
  if (left === decides) {
    touchBranches(term.right, environment);
    return decides;
  }
  const right = evaluate(term.right, environment);
  if (!decides) return conjunction(left, right);
  return right === true ? true : left === null || right === null ? null : false;
}

/** `operand IN …` as in SQL: NULL if it is not found and there is a NULL; FALSE for an empty collection, even of NULL. */
export function isMember(term: Extract<Term, { readonly kind: 'in' }>, environment: Environment): boolean | null {
  const right = term.right;
  const elementShape = 'kind' in right ? elementShapeOf(right) : right.map((element) => element.shape).reduce(commonShape);
  const shape = commonShape(term.operand.shape, elementShape);
  const operand = evaluate(term.operand, environment);
  const collection = 'kind' in right ? evaluate(right, environment) : null;
  if ('kind' in right && collection === null) return null;
  const elements = 'kind' in right ? elementsOf(collection as CollectionValue) : right.map((element) => evaluate(element, environment));
  if (elements.length === 0) return false;
  if (operand === null) return null;
  const found = elements.map((element) => convert(element, shape));
  const sought = convert(operand, shape);
  if (found.some((element) => element !== null && compareInside(element, sought) === 0)) return true;
  return found.includes(null) ? null : false;
}

function elementShapeOf(term: Term): Term['shape'] {
  return typeof term.shape === 'object' && term.shape.kind === 'collection' ? term.shape.element : 'unknown';
}

function append({ operator, shape, left, right }: Binary, a: Value, b: Value): Value {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) throw new Error(`${operator} of no record or collection`);
  if (a.kind === 'collection') return combine('UNION ALL', convert(a, shape), convert(b, shape));
  const [ofLeft, ofRight] = [fieldNames(left.shape), fieldNames(right.shape)];
  const valueOf = (name: string): Value => {
    const [value, place] = ofRight.includes(name) ? [b, ofRight.indexOf(name)] : [a, ofLeft.indexOf(name)];
    return value.kind === 'record' ? (value.values[place] ?? null) : null;
  };
  return { kind: 'record', values: fieldNames(shape).map(valueOf) };
}

function fieldNames(shape: Shape): readonly string[] {
  return typeof shape === 'object' && shape.kind === 'record' ? shape.fields.map((field) => field.name) : [];
}

/** UNION, EXCEPT and INTERSECT, with and without ALL: all except UNION ALL return rows in ascending order. */
function combine(operator: SetOperator, a: Value, b: Value): Value {
  const [left, right] = [a as CollectionValue, b as CollectionValue];
  if (operator === 'UNION ALL') return { kind: 'collection', blocks: [...left.blocks, ...right.blocks] };
  const [x, y] = [elementsOf(left), elementsOf(right)];
  const countIn = (rows: readonly Value[], row: Value): number => rows.filter((other) => compareRows(other, row) === 0).length;
  const countOf = (row: Value): number => {
    const [a, b] = [countIn(x, row), countIn(y, row)];
    if (operator === 'EXCEPT ALL') return Math.max(0, a - b);
    if (operator === 'INTERSECT ALL') return Math.min(a, b);
    return operator === 'UNION' || b > 0 === (operator === 'INTERSECT') ? 1 : 0;
  };
  const rows = distinct(operator === 'UNION' ? [...x, ...y] : x);
  return ordered(rows.flatMap((row) => Array.from({ length: countOf(row) }, () => row)));
}
