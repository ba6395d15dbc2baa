import { constant, isNull, not, nullIfAnyNull } from '../plan/build-plan.ts';
import type { Plan, SetOperation } from '../plan/plan.ts';
import { rowNumber } from '../plan/row-number.ts';
import type { CollectionExpression, Expression, IndexAccess, SetExpression } from '../syntax/ast.ts';
import { printExpression } from '../syntax/print/print-expression.ts';
import type { Span } from '../text/span.ts';
import type { CollectionType, Type } from '../types/type.ts';
import { quoteName } from '../types/print.ts';
import {
  anyType,
  collectionOf,
  elementOrItself,
  isComparable,
  isPrimitive,
  long,
  notNullable,
  nullable,
  printType,
  undeterminedNull,
  unify,
} from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty, isNullAlone } from './operand.ts';
import { placeOf, report } from './check-context.ts';
import { commonType, convertTo, expectOperand, mayBeNull, unifyOperands } from './convert.ts';
import { letIn } from './bind.ts';
import { fitting } from './element-advice.ts';
import { checkValue } from './check-value.ts';
import { mapCollection } from './map-collection.ts';
import { fieldOf, makeRecord } from './record-fields.ts';
import type { Scope } from './scope.ts';

/** `[a, b]`: elements of one type; `[]` is a collection of anything. */
export function checkCollection(context: CheckContext, node: CollectionExpression, scope: Scope): Plan {
  const elements = node.elements.map((element) => checkValue(context, element, scope));
  return makeCollection(
    context,
    node.span,
    elements,
    node.elements.map((element) => element.span),
  );
}

/** A collection literal of checked elements. */
function makeCollection(context: CheckContext, span: Span, elements: readonly Plan[], spans: readonly Span[]): Plan {
  const unified = unifyOperands(context, elements, spans);
  if (unified === null) return errorPlan(span);
  const element = unified.length === 0 ? notNullable(undeterminedNull) : commonType(unified);
  return { kind: 'CollectionLiteral', type: collectionOf(element), span: placeOf(context, span), elements: unified };
}

/** `c[i]`: element of a collection from 0, element or member of an `any`; NULL outside. */
export function checkIndex(context: CheckContext, node: IndexAccess, scope: Scope): Plan {
  const target = checkValue(context, node.target, scope);
  const index = checkValue(context, node.index, scope);
  if (isFaulty(target)) return target;
  const span = placeOf(context, node.span);
  if (target.type.kind === 'AnyType') {
    const key = isPrimitive(index.type, 'string') ? index : expectOperand(context, index, long, node.index.span);
    return { kind: 'Navigate', type: nullable(anyType), span, target, key };
  }
  const key = node.index.kind === 'StringLiteral' ? `${printExpression(node.target)}.${quoteName(node.index.value)}` : null;
  if (target.type.kind !== 'CollectionType') {
    const isByName = target.type.kind === 'RecordType' && isPrimitive(index.type, 'string');
    const advice = isByName ? fitting(`GET(${printExpression(node.target)}, ${printExpression(node.index)})`) : null;
    return report(context, 'collection-expected', node.target.span, printType(target.type), key ?? advice);
  }
  if (key !== null && target.type.element.kind === 'RecordType')
    return report(context, 'type-mismatch', node.index.span, printType(long), printType(index.type), key);
  const position = expectOperand(context, index, long, node.index.span);
  return { kind: 'Element', type: nullable(target.type.element), span, target, index: position };
}

const SET_OPERATORS = {
  'UNION ALL': 'union-all',
  UNION: 'union',
  INTERSECT: 'intersect',
  'INTERSECT ALL': 'intersect',
  EXCEPT: 'except',
  'EXCEPT ALL': 'except',
} as const satisfies Record<SetExpression['operator'], SetOperation['operator']>;

/** A set operator; a chain of one becomes one node. */
export function checkSet(context: CheckContext, node: SetExpression, scope: Scope): Plan {
  const spine: SetExpression[] = [node];
  let leftmost = node.left;
  while (leftmost.kind === 'SetExpression') {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  let plan = checkValue(context, leftmost, scope);
  for (const operation of spine.reverse()) {
    const right = namedAs(context, plan, checkValue(context, operation.right, scope), operation.right);
    const at = {
      operator: SET_OPERATORS[operation.operator],
      span: operation.span,
      spans: [operation.left.span, operation.right.span],
    };
    const countsCopies = operation.operator === 'EXCEPT ALL' || operation.operator === 'INTERSECT ALL';
    plan = countsCopies ? overCopies(context, at, [plan, right]) : makeSetOperation(context, at, [plan, right]);
  }
  return plan;
}

/** Queries of which the names of items count for less than those of the first in a chain. */
const QUERIES: ReadonlySet<Expression['kind']> = new Set(['SelectExpression', 'SetExpression', 'OrderedChain']);

/**
 * As in SQL, the items without a name of a later query take the names of the first, and its only item is a value where that of
 * the first is one. A query with other names is unchanged.
 */
function namedAs(context: CheckContext, first: Plan, later: Plan, { kind, span }: Expression): Plan {
  const [wanted, own] = [elementOrItself(first.type), elementOrItself(later.type)];
  if (!QUERIES.has(kind) || isFaulty(first) || isFaulty(later)) return later;
  if (wanted.kind === 'PrimitiveType' && own.kind === 'RecordType' && own.fields.length === 1)
    return mapCollection(context, asCollection(later, [later]), span, (row) => fieldOf(row, 0, span));
  if (wanted.kind !== 'RecordType') return later;
  // A row that is NULL is no row of NULLs.
  if (own.kind === 'RecordType' && own.isNullable) return later;
  const names = own.kind === 'RecordType' ? own.fields.map(({ name }) => name) : ['_1'];
  const isNamed = names.map((name, i) => name === wanted.fields[i]?.name);
  const fits = names.length === wanted.fields.length && names.every((name, i) => isNamed[i] === true || name === `_${i + 1}`);
  if (!fits || !isNamed.includes(false)) return later;
  return mapCollection(context, asCollection(later, [later]), span, (row) =>
    makeRecord(
      context,
      span,
      wanted.fields.map(({ name }, i) => ({ name, plan: own.kind === 'RecordType' ? fieldOf(row, i, span) : row, span })),
    ),
  );
}

interface SetOperationAt {
  readonly operator: SetOperation['operator'];
  readonly span: Span;
  readonly spans: readonly Span[];
}

/**
 * Lowers EXCEPT ALL and INTERSECT ALL to their distinct forms over numbered copies: each row cancels, or matches, one copy. The
 * fields of a record stand before it, since rows sort by their fields with NULL first, and a value within a row has NULL last.
 */
function overCopies(context: CheckContext, at: SetOperationAt, operands: readonly Plan[]): Plan {
  const united = makeSetOperation(context, { ...at, operator: 'except' }, operands); // reports faults of the operands
  if (isFaulty(united) || united.type.kind !== 'CollectionType') return united;
  const { element } = united.type;
  const span = placeOf(context, at.span);
  const fields = element.kind === 'RecordType' ? element.fields : [];
  const sortedBy = (row: Plan): readonly Plan[] =>
    fields.length === 0 ? [] : [not(isNull(row, span)), ...fields.map((_, i) => fieldOf(row, i, span))];
  const numbered = operands.map((operand) =>
    mapCollection(context, convertTo(asCollection(operand, operands), collectionOf(element)), span, (row) =>
      makeRecord(
        context,
        at.span,
        [...sortedBy(row), row, rowNumber([row], [], span)].map((plan, i) => ({ name: `_${i + 1}`, plan, span })),
      ),
    ),
  );
  const place = fields.length === 0 ? 0 : fields.length + 1;
  return mapCollection(context, makeSetOperation(context, at, numbered), span, (row) => fieldOf(row, place, span));
}

/** Builds a set operation over checked operands; an operand that is not a collection is a collection of one element. */
export function makeSetOperation(context: CheckContext, at: SetOperationAt, operands: readonly Plan[]): Plan {
  if (operands.some(isFaulty)) return errorPlan(at.span);
  const collections = operands.map((operand) => asCollection(operand, operands));
  const elements = collections.map(({ type, span }) => constant(type.element, null, span));
  const [first, second] = elements;
  const difference = first === undefined || second === undefined ? null : differenceOfRows(first.type, second.type);
  if (first !== undefined && second !== undefined && difference !== null)
    return report(context, 'different-rows', at.spans, printType(first.type), printType(second.type), difference);
  const unified = unifyOperands(context, elements, at.spans);
  if (unified === null) return errorPlan(at.span);
  const element = commonType(unified);
  if (at.operator !== 'union-all' && !isComparable(element)) return report(context, 'not-comparable', at.spans, printType(element));
  const span = placeOf(context, at.span);
  const converted = collections.map((collection) => convertTo(collection, collectionOf(element)));
  const flat = converted.flatMap((operand, i) => (isPartOf(at.operator, operand, i) ? operand.operands : [operand]));
  return orNull(context, converted, span, {
    kind: 'SetOperation',
    type: collectionOf(element),
    span,
    operator: at.operator,
    operands: flat,
  });
}

/** Describes how the rows of two queries without a common type differ; null for other values. */
function differenceOfRows(a: Type, b: Type): string | null {
  if (unify(a, b) !== null) return null;
  if ((a.kind === 'RecordType') !== (b.kind === 'RecordType')) return 'one item without AS gives bare values, several give records';
  if (a.kind !== 'RecordType' || b.kind !== 'RecordType') return null;
  if (a.fields.length !== b.fields.length) return `one has ${a.fields.length} fields, the other ${b.fields.length}`;
  for (const [i, { name, type }] of a.fields.entries()) {
    const other = b.fields[i];
    if (other === undefined) return null;
    const [mine, theirs] = [quoteName(name), quoteName(other.name)];
    const isNamed = [name, other.name].map((one) => one !== `_${i + 1}`);
    if (isNamed[0] !== isNamed[1]) {
      const wanted = isNamed[0] === true ? mine : theirs;
      return `field ${i + 1} is ${wanted} in one and has no name in the other: write AS ${wanted}`;
    }
    if (other.name !== name) return `field ${i + 1} is ${mine} in one and ${theirs} in the other: write ${theirs} AS ${mine}`;
    if (unify(type, other.type) === null) return `${mine} is ${printType(type)} in one and ${printType(other.type)} in the other`;
  }
  return null;
}

/** Returns whether the operands of an operand may be merged into the enclosing set operation. */
function isPartOf(operator: SetOperation['operator'], operand: Plan, place: number): operand is SetOperation {
  if (operand.kind !== 'SetOperation') return false;
  if (operator === 'union') return operand.operator === 'union' || operand.operator === 'union-all';
  return operand.operator === operator && (operator !== 'except' || place === 0);
}

/** Makes the result NULL if any collection is NULL. */
function orNull(context: CheckContext, operands: readonly Plan[], span: Span, operation: SetOperation): Plan {
  const doubtful = operands.filter(mayBeNull);
  if (doubtful.length === 0) return operation;
  const bindAll = (rest: readonly Plan[], done: readonly Plan[]): Plan => {
    const [next, ...others] = rest;
    if (next !== undefined) return letIn(context, next, (use) => bindAll(others, [...done, use]));
    return nullIfAnyNull(done.filter(mayBeNull), { ...operation, operands: done }, span);
  };
  return bindAll(operands, []);
}

type CollectionPlan = Plan & { readonly type: CollectionType };

function isCollection(plan: Plan): plan is CollectionPlan {
  return plan.type.kind === 'CollectionType';
}

/**
 * Converts an operand to a collection: an untyped NULL among collections is a NULL collection; any other value is a
 * collection of one element.
 */
function asCollection(operand: Plan, all: readonly Plan[]): CollectionPlan {
  if (isCollection(operand)) return operand;
  const other = operand.kind === 'Constant' && isNullAlone(operand) ? all.find(isCollection) : undefined;
  if (other !== undefined) return { ...operand, type: { ...other.type, isNullable: true } };
  return { kind: 'CollectionLiteral', type: collectionOf(operand.type), span: operand.span, elements: [operand] };
}
