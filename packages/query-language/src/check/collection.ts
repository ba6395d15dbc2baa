import type { Plan, SetOperation } from '../plan/plan.ts';
import type { CollectionExpression, Expression, IndexAccess, InExpression, SetExpression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { CollectionType } from '../types/type.ts';
import { anyType, collectionOf, isComparable, isKey, long, notNullable, nullable, printType, undeterminedNull } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, placeOf, report } from './check-context.ts';
import { boolOf, commonType, convertTo, expectOperand, letIn, mayBeNull, unifyOperands } from './convert.ts';
import { checkValue } from './expression.ts';
import { isFaulty, isNullAlone } from './operand.ts';
import type { Scope } from './scope.ts';
import { isTemporalName } from './temporal-text.ts';

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
    const isText = index.type.kind === 'PrimitiveType' && index.type.name === 'string';
    const key = isText ? index : expectOperand(context, index, long, node.index.span);
    return { kind: 'Navigate', type: nullable(anyType), span, target, key };
  }
  if (target.type.kind !== 'CollectionType') return report(context, 'collection-expected', node.target.span, printType(target.type));
  const position = expectOperand(context, index, long, node.index.span);
  return { kind: 'Element', type: nullable(target.type.element), span, target, index: position };
}

/** `e [NOT] IN collection` and `e [NOT] IN (a, b)`; `(e)` is a list too where e is no collection. */
export function checkIn(context: CheckContext, node: InExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  const list = node.list ?? listOf(node.right, operand);
  const right = list === null ? checkRightOfIn(context, node, scope) : checkList(context, node, list, operand, scope);
  const collection = isNullAlone(right) ? convertTo(right, nullable(collectionOf(undeterminedNull))) : right;
  if (isFaulty(collection)) return collection;
  if (collection.type.kind !== 'CollectionType')
    return report(context, 'collection-expected', node.right?.span ?? node.span, printType(collection.type));
  const element: Plan = { kind: 'Constant', type: collection.type.element, span: collection.span, value: null };
  const unified = unifyOperands(context, [operand, element], [node.operand.span, node.right?.span ?? node.span], { readsTemporals: true });
  const [left] = unified ?? [];
  if (left === undefined || unified === null) return errorPlan(node.span);
  const common = commonType(unified);
  if (!isComparable(common)) return report(context, 'not-comparable', node.operand.span, printType(common));
  const members = convertTo(collection, collectionOf(common));
  const isNullable = common.isNullable || mayBeNull(collection);
  const span = placeOf(context, node.span);
  const type = isNullable ? nullable(boolOf()) : boolOf();
  const test: Plan = { kind: 'In', type, span, operand: left, collection: members };
  return node.isNegated ? { kind: 'Not', type, span, operand: test } : test;
}

/** The elements of `[…]` after IN, where they may be texts of temporals. */
function listOf(right: Expression | null, operand: Plan): readonly Expression[] | null {
  const isTemporal = operand.type.kind === 'PrimitiveType' && isTemporalName(operand.type.name);
  return isTemporal && right?.kind === 'CollectionExpression' && right.elements.length > 0 ? right.elements : null;
}

function checkRightOfIn(context: CheckContext, node: InExpression, scope: Scope): Plan {
  if (node.right === null) throw new Error('IN is of a list or of a value');
  return checkValue(context, node.right, scope);
}

/** The list after IN; one element that is a collection is itself what is searched. */
function checkList(context: CheckContext, node: InExpression, list: readonly Expression[], operand: Plan, scope: Scope): Plan {
  const elements = list.map((element) => checkValue(context, element, scope));
  const [only] = elements;
  if (elements.length === 1 && only?.type.kind === 'CollectionType') return only;
  const unified = unifyOperands(context, [operand, ...elements], [node.operand.span, ...list.map((element) => element.span)], {
    readsTemporals: true,
  });
  if (unified === null) return errorPlan(node.span);
  const members = unified.slice(1);
  return { kind: 'CollectionLiteral', type: collectionOf(commonType(members)), span: placeOf(context, node.span), elements: members };
}

const SET_OPERATORS = {
  'UNION ALL': 'union-all',
  UNION: 'union',
  INTERSECT: 'intersect',
  EXCEPT: 'except',
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
    const right = checkValue(context, operation.right, scope);
    plan = makeSetOperation(
      context,
      {
        operator: SET_OPERATORS[operation.operator],
        span: operation.span,
        spans: [operation.left.span, operation.right.span],
      },
      [plan, right],
    );
  }
  return plan;
}

/** A set operation over checked operands; an operand that is no collection counts as a collection of one. */
export function makeSetOperation(
  context: CheckContext,
  at: { readonly operator: SetOperation['operator']; readonly span: Span; readonly spans: readonly Span[] },
  operands: readonly Plan[],
): Plan {
  if (operands.some(isFaulty)) return errorPlan(at.span);
  const collections = operands.map((operand) => asCollection(operand, operands));
  const elements = collections.map(({ type, span }): Plan => ({ kind: 'Constant', type: type.element, span, value: null }));
  const unified = unifyOperands(context, elements, at.spans);
  if (unified === null) return errorPlan(at.span);
  const element = commonType(unified);
  if (at.operator !== 'union-all' && !isKey(element)) return report(context, 'not-comparable', at.spans, printType(element));
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

/** Whether an operand's own operands may stand in its place. */
function isPartOf(operator: SetOperation['operator'], operand: Plan, place: number): operand is SetOperation {
  if (operand.kind !== 'SetOperation') return false;
  if (operator === 'union') return operand.operator === 'union' || operand.operator === 'union-all';
  return operand.operator === operator && (operator !== 'except' || place === 0);
}

/** A NULL collection makes the whole NULL. */
function orNull(context: CheckContext, operands: readonly Plan[], span: Span, operation: SetOperation): Plan {
  const doubtful = operands.filter(mayBeNull);
  if (doubtful.length === 0) return operation;
  const bindAll = (rest: readonly Plan[], done: readonly Plan[]): Plan => {
    const [next, ...others] = rest;
    if (next !== undefined) return letIn(context, next, (use) => bindAll(others, [...done, use]));
    const tests = done.filter(mayBeNull).map((use): Plan => ({ kind: 'IsNull', type: boolOf(), span, operand: use }));
    const type = nullable(operation.type);
    return {
      kind: 'Case',
      type,
      span,
      branches: tests.map((when) => ({ when, then: { kind: 'Constant', type, span, value: null } })),
      otherwise: { ...operation, operands: done },
    };
  };
  return bindAll(operands, []);
}

type CollectionPlan = Plan & { readonly type: CollectionType };

function isCollection(plan: Plan): plan is CollectionPlan {
  return plan.type.kind === 'CollectionType';
}

/** NULL alone among collections is one of them; anything else is a collection of itself. */
function asCollection(operand: Plan, all: readonly Plan[]): CollectionPlan {
  if (isCollection(operand)) return operand;
  const other = operand.kind === 'Constant' && isNullAlone(operand) ? all.find(isCollection) : undefined;
  if (other !== undefined) return { ...operand, type: { ...other.type, isNullable: true } };
  return { kind: 'CollectionLiteral', type: collectionOf(operand.type), span: operand.span, elements: [operand] };
}
