import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import type { FunctionType, Type } from '../../types/type.ts';
import { bool, collectionOf, isSameType, nullable, printType, undeterminedNull, unify } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, freshVariable, placeOf, report } from '../check-context.ts';
import { convertTo, expectType, mayBeNull } from '../convert.ts';
import { selectFrom } from '../map-collection.ts';
import type { FunctionValue } from '../operand.ts';
import { asData, isFaulty, isNullAlone } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { checkArgument } from './arguments.ts';
import { hasCount } from './has-count.ts';

interface Elements {
  readonly collection: Plan;
  readonly callback: FunctionValue;
}

/** `TRANSFORM(c, f)` */
export function checkTransform(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return overElements(context, node, scope, (element, f) => ({ item: f(element) }));
}

/** `FILTER(c, f)` */
export function checkFilter(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return overElements(context, node, scope, (element, f) => ({ item: element, where: condition(context, node, f(element)) }));
}

/** `ANY(c, f)` */
export function checkAny(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return existsWhere(context, node, scope, false);
}

/** `ALL(c, f)` */
export function checkAll(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return existsWhere(context, node, scope, true);
}

/**
 * `REDUCE(c, start, \\(acc, x) -> …)`. The accumulator has the type of the start, widened to what the function gives until that
 * changes nothing more.
 */
export function checkReduce(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 3)) return errorPlan(node.span);
  const [given, start] = [0, 1].map((i) => asData(context, checkArgument(context, node, i, scope, null)));
  const collection = given === undefined ? undefined : orNullCollection(given);
  const spans = node.arguments.map((argument) => argument.value.span);
  if (collection === undefined || start === undefined || isFaulty(collection) || isFaulty(start)) return errorPlan(node.span);
  if (collection.type.kind !== 'CollectionType')
    return report(context, 'collection-expected', spans[0] ?? node.span, printType(collection.type));
  const elementType = collection.type.element;
  const ids = { accumulator: freshVariable(context), element: freshVariable(context) };
  let type = start.type;
  for (;;) {
    const body = reduceBody(context, node, scope, { ids, type, elementType });
    if (isFaulty(body)) return errorPlan(node.span);
    const unified = unify(type, body.type);
    if (unified === null || (unified.kind === 'AnyType' && !unified.isUndetermined && type.kind !== 'AnyType'))
      return report(context, 'incompatible-types', spans.slice(1), printType(type), printType(body.type));
    if (isSameType(unified, type)) {
      const result = mayBeNull(collection) ? nullable(type) : type;
      const [from, to] = [convertTo(start, type), convertTo(body, type)];
      return { kind: 'Reduce', type: result, span: placeOf(context, node.span), collection, start: from, ...ids, body: to };
    }
    type = unified;
  }
}

function reduceBody(
  context: CheckContext,
  node: CallExpression,
  scope: Scope,
  at: { readonly ids: { readonly accumulator: number; readonly element: number }; readonly type: Type; readonly elementType: Type },
): Plan {
  const span = node.arguments[2]?.value.span ?? node.span;
  const parameter = (type: Type): FunctionType['parameters'][number] => ({ name: null, type, isOptional: false });
  const callback = checkArgument(context, node, 2, scope, {
    kind: 'FunctionType',
    isNullable: false,
    parameters: [parameter(at.type), parameter(at.elementType)],
    result: { kind: 'ErrorType', isNullable: false },
  });
  if (callback.kind !== 'FunctionValue')
    return isFaulty(callback) ? callback : report(context, 'function-expected', span, printType(callback.type));
  const accumulator: Plan = { kind: 'Variable', type: at.type, span, id: at.ids.accumulator };
  const element: Plan = { kind: 'Variable', type: at.elementType, span, id: at.ids.element };
  return asData(context, callback.apply([accumulator, element], span));
}

/** The collection and the function of a call like TRANSFORM(c, f). */
function checkElements(context: CheckContext, node: CallExpression, scope: Scope): Elements | null {
  if (!hasCount(context, node, 2)) return null;
  const collection = orNullCollection(asData(context, checkArgument(context, node, 0, scope, null)));
  if (isFaulty(collection)) return null;
  const spans = node.arguments.map((argument) => argument.value.span);
  if (collection.type.kind !== 'CollectionType') {
    report(context, 'collection-expected', spans[0] ?? node.span, printType(collection.type));
    return null;
  }
  const expected: FunctionType = {
    kind: 'FunctionType',
    isNullable: false,
    parameters: [{ name: null, type: collection.type.element, isOptional: false }],
    result: { kind: 'ErrorType', isNullable: false },
  };
  const callback = checkArgument(context, node, 1, scope, expected);
  if (callback.kind === 'FunctionValue') return { collection, callback };
  if (!isFaulty(callback)) report(context, 'function-expected', spans[1] ?? node.span, printType(callback.type));
  return null;
}

/** NULL alone as a collection. */
function orNullCollection(plan: Plan): Plan {
  return isNullAlone(plan) ? convertTo(plan, nullable(collectionOf(undeterminedNull))) : plan;
}

function overElements(
  context: CheckContext,
  node: CallExpression,
  scope: Scope,
  make: (element: Plan, f: (element: Plan) => Plan) => { readonly item: Plan; readonly where?: Plan },
): Plan {
  const parts = checkElements(context, node, scope);
  if (parts === null) return errorPlan(node.span);
  const span = node.arguments[1]?.value.span ?? node.span;
  return selectFrom(context, parts.collection, placeOf(context, node.span), (element) =>
    make(element, (argument) => asData(context, parts.callback.apply([argument], span))),
  );
}

function condition(context: CheckContext, node: CallExpression, plan: Plan): Plan {
  return expectType(context, plan, mayBeNull(plan) ? nullable(bool) : bool, node.arguments[1]?.value.span ?? node.span);
}

/** Whether some element makes the function true; for ALL, whether none makes it false (NULL neither decides). */
function existsWhere(context: CheckContext, node: CallExpression, scope: Scope, isAll: boolean): Plan {
  const span = placeOf(context, node.span);
  const found = overElements(context, node, scope, (element, f) => {
    const test = condition(context, node, f(element));
    return { item: element, where: isAll ? { kind: 'Not', type: test.type, span, operand: test } : test };
  });
  if (isFaulty(found)) return found;
  const exists: Plan = {
    kind: 'Call',
    type: mayBeNull(found) ? nullable(bool) : bool,
    span,
    function: 'EXISTS',
    overload: '(collection: collection(T)) -> bool',
    arguments: [found],
  };
  return isAll ? { kind: 'Not', type: exists.type, span, operand: exists } : exists;
}

/** `FIND_FIRST(c, f)` */
export function checkFindFirst(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const found = overElements(context, node, scope, (element, f) => ({ item: element, where: condition(context, node, f(element)) }));
  if (isFaulty(found) || found.type.kind !== 'CollectionType') return found;
  const span = placeOf(context, node.span);
  const index: Plan = { kind: 'Constant', type: { kind: 'PrimitiveType', name: 'long', isNullable: false }, span, value: '0' };
  return { kind: 'Element', type: nullable(found.type.element), span, target: found, index };
}
